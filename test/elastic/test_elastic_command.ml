open Program_weft
open Yojson.Safe.Util
open Testing.Text

let case = Testing.Watchdog.case
let elastic ?env ?while_running arguments = run ?env ?while_running ("bench" :: "elastic" :: arguments)

(* In the dev profile the command warns that its times are no benchmark figures. *)
let messages err = List.filter (fun line -> not (contains "dev profile" line)) (lines err)

(* {1 Results} *)

let row_of row =
  Printf.sprintf "%s %s %d"
    (to_string (member "bench" row))
    (to_string (member "method" row))
    (to_int (member "domains" row))

let titles row = List.map (fun f -> to_string (member "title" f)) (to_list (member "figures" row))

let measured ?env arguments =
  let { Testing.Child.code; out; err; _ } =
    elastic ?env (arguments @ [ "--work"; "1"; "--limit"; "600"; "--json=-" ])
  in
  if code <> 0 then Alcotest.failf "exit code %d: %s" code err;
  let json = Yojson.Safe.from_string out in
  Alcotest.(check (list string)) "top" [ "header"; "rows"; "skipped" ] (keys json);
  let check_skipped skipped =
    Alcotest.(check bool) "a reason" true (to_string (member "why" skipped) <> "");
    to_string (member "case" skipped)
  in
  let skipped = List.map check_skipped (to_list (member "skipped" json)) in
  Alcotest.(check int) "a line for each case left out" (List.length skipped) (List.length (messages err));
  (to_list (member "rows" json), skipped)

let check_rows what expected (rows, _) = Alcotest.(check (list string)) what expected (List.map row_of rows)

(* Titles of histograms' buckets are left out: which buckets there are depends on the run. *)
let check_titles what expected rows =
  let is_bucket title = String.contains title '[' in
  let check row =
    let titles = List.filter (fun title -> not (is_bucket title)) (titles row) in
    Alcotest.(check (list string)) (what ^ ": " ^ row_of row) expected titles
  in
  List.iter check rows

let idle_pools_have_their_rows () =
  let runs = Testing.Effort.count ~quick:1 ~usual:2 ~long:2 in
  let ((rows, _) as measured) =
    measured [ "--case"; "idle_cpu,idle_slowdown,burst,every_ms"; "--runs"; string_of_int runs ]
  in
  check_rows "rows"
    [
      "idle_cpu parked 8";
      "idle_cpu weft 8";
      "idle_slowdown no-pool 1";
      "idle_slowdown parked 8";
      "idle_slowdown weft 8";
      "idle_slowdown weft-256k 8";
      "burst_after_250ms parked 8";
      "burst_after_250ms spawned 8";
      "burst_after_250ms weft 8";
      "burst_after_1ms parked 8";
      "burst_after_1ms spawned 8";
      "burst_after_1ms weft 8";
      "every_ms no-pool 1";
      "every_ms parked 2";
      "every_ms parked 8";
      "every_ms weft 1";
      "every_ms weft 2";
      "every_ms weft 8";
    ]
    measured;
  let of_bench prefix = List.filter (fun row -> String.starts_with ~prefix (row_of row)) rows in
  check_titles "idle_cpu" [ "CPU %" ] (of_bench "idle_cpu");
  check_titles "idle_slowdown" [ "x no-pool" ] (of_bench "idle_slowdown");
  check_titles "burst"
    [
      "first start median us";
      "first start p99 us";
      "first start max us";
      "all begun median us";
      "all begun p99 us";
      "all begun max us";
      "all ended median us";
      "all ended p99 us";
      "all ended max us";
      "extra first us";
      "extra all us";
    ]
    (of_bench "burst");
  check_titles "every_ms"
    [ "CPU %"; "wake median us"; "wake p99 us"; "wake max us"; "beyond %" ]
    (of_bench "every_ms");
  let has_runs row =
    let number_of key json = List.length (to_list (member key json)) in
    Alcotest.(check int) "runs" runs (number_of "seconds" row);
    List.iter
      (fun f -> Alcotest.(check int) "runs" runs (number_of "runs" f))
      (to_list (member "figures" row))
  in
  List.iter has_runs rows

let events_have_their_price_and_leave_no_file () =
  Testing.Folder.within "events" @@ fun folder ->
  let env = [ ("OCAML_RUNTIME_EVENTS_DIR", folder) ] in
  let ((rows, _) as measured) = measured ~env [ "--case"; "events"; "--runs"; "1" ] in
  check_rows "rows" [ "events weft 1"; "events weft 2" ] measured;
  check_titles "figures" [ "% more" ] rows;
  Alcotest.(check (array string)) "no file is left" [||] (Sys.readdir folder)

let crowded_pools_are_compared_with_two_domains () =
  let arguments = [ "--case"; "crowded"; "--runs"; "1" ] in
  let ((rows, _) as measured) = measured (arguments @ [ "--workload"; "alloc,fib"; "--domains"; "2,3" ]) in
  check_rows "rows"
    [
      "crowded_alloc parked 2";
      "crowded_alloc parked 3";
      "crowded_alloc weft 2";
      "crowded_alloc weft 3";
      "crowded_alloc weft-256k 2";
      "crowded_alloc weft-256k 3";
      "crowded_fib par 2";
      "crowded_fib par 3";
    ]
    measured;
  check_titles "crowded" [ "x 2 domains" ] rows;
  let ratio row = to_number (member "median" (List.hd (to_list (member "figures" row)))) in
  Alcotest.(check (float 1e-9)) "of two domains" 1. (ratio (List.hd rows));
  Alcotest.(check (float 1e-6))
    "of three"
    (to_number (member "median" (List.nth rows 1)) /. to_number (member "median" (List.hd rows)))
    (ratio (List.nth rows 1))

let every_benchmark_is_there_when_crowded () =
  let rows, _ = measured [ "--case"; "crowded"; "--runs"; "1"; "--domains"; "4" ] in
  Alcotest.(check int) "rows" ((2 * 3) + 12) (List.length rows)

let pools_beside_others_have_their_rows () =
  let arguments = [ "--case"; "beside"; "--workload"; "compute"; "--domains"; "1,2"; "--runs"; "1" ] in
  let ((rows, skipped) as measured) = measured arguments in
  let of_case name =
    List.concat_map
      (fun method_ -> List.map (Printf.sprintf "%s_compute %s %d" name method_) [ 1; 2 ])
      [ "parked"; "weft" ]
  in
  let there =
    List.filter (fun name -> not (List.mem name skipped)) [ "neighbour"; "twin"; "quota_1"; "quota_1_5" ]
  in
  check_rows "rows" (List.concat_map of_case there) measured;
  check_titles "beside" [ "x 1 domain"; "x 2 domains" ] rows

(* Libraries that are there take part, too: their rows are left out here. *)
let of_ours rows =
  let is_ours row =
    List.mem (to_string (member "method" row)) [ "no-pool"; "parked"; "weft"; "sequential"; "loop" ]
  in
  List.filter is_ours rows

let bursts_have_their_rows () =
  let rows, skipped = measured [ "--case"; "bursts"; "--runs"; "1" ] in
  let rows = of_ours rows in
  let of_rest rest =
    List.map (Printf.sprintf "bursts_after_%s %s" rest) [ "no-pool 1"; "parked 2"; "weft 2" ]
  in
  check_rows "rows" (List.concat_map of_rest [ "1ms"; "20ms"; "200ms" ]) (rows, skipped);
  (* It depends on the machine whether a second domain has worked in one of so few bursts. *)
  let second title = String.starts_with ~prefix:"second domain " title in
  let usual = [ "alone %"; "burst median us"; "burst p99 us"; "burst max us"; "x no-pool" ] in
  List.iter
    (fun row ->
      let titles = List.filter (fun title -> not (String.contains title '[' || second title)) (titles row) in
      Alcotest.(check (list string)) (row_of row) usual titles;
      Alcotest.(check bool) "processor time" true (member "cpu_ratio" row <> `Null))
    rows

let crowded_loops_are_compared_with_a_domain_less () =
  let rows, skipped = measured [ "--case"; "crowded_loops"; "--workload"; "10us"; "--runs"; "1" ] in
  let rows = of_ours rows in
  let of_case n =
    List.map (Printf.sprintf "crowded_loops_%d_10us %s" n) [ "sequential 1"; "loop 1"; "loop 2" ]
  in
  check_rows "rows" (List.concat_map of_case [ 1; 2; 4 ]) (rows, skipped);
  let usual = [ "loops"; "ns/loop"; "ops/us" ] in
  let on_two, others = List.partition (fun row -> to_int (member "domains" row) = 2) rows in
  check_titles "two domains" (usual @ [ "x a domain less" ]) on_two;
  check_titles "one" usual others;
  let operations row =
    let is_it f = String.equal (to_string (member "title" f)) "ops/us" in
    to_number (member "median" (List.find is_it (to_list (member "figures" row))))
  in
  Alcotest.(check int)
    "the same work for all" 1
    (List.length (List.sort_uniq compare (List.map operations rows)))

let what_takes_too_long_counts_as_the_limit_once () =
  let arguments = [ "--case"; "crowded"; "--workload"; "compute"; "--method"; "parked"; "--domains"; "2" ] in
  let { Testing.Child.code; out; err; _ } =
    elastic (arguments @ [ "--work"; "10000"; "--limit"; "1"; "--runs"; "3"; "--json=-" ])
  in
  Alcotest.(check int) ("exit code, " ^ err) 0 code;
  match to_list (member "rows" (Yojson.Safe.from_string out)) with
  | [ row ] ->
      Alcotest.(check (list (float 0.)))
        "seconds" [ 1. ]
        (List.map to_number (to_list (member "seconds" row)));
      Alcotest.(check string) "check" "over limit" (to_string (member "check" row));
      Alcotest.(check (list string)) "figures" [ "over limit"; "x 2 domains" ] (titles row)
  | rows -> Alcotest.failf "%d rows" (List.length rows)

(* A program that may have two domains cannot start eight. *)
let an_exception_in_a_run_is_an_error () =
  let arguments = [ "--case"; "idle_slowdown"; "--method"; "parked"; "--work"; "1"; "--runs"; "2" ] in
  let { Testing.Child.code; out; err; _ } = elastic ~env:[ ("OCAMLRUNPARAM", "d=2") ] arguments in
  Alcotest.(check int) "exit code" 1 code;
  Alcotest.(check string) "no table" "" out;
  Alcotest.(check int) ("one line: " ^ err) 1 (List.length (messages err));
  check_contains "message"
    ~part:"weft bench: idle_slowdown: idle_slowdown 12, parked, 8 domains: ended with an exc"
    err

let what_a_run_prints_is_figures_or_an_error () =
  let check what expected output =
    match Weft_bench_elastic.Child.parse output with
    | Ok _ -> Alcotest.failf "%s: taken for figures" what
    | Error message -> Alcotest.(check string) what expected message
  in
  check "an error" "wrong result" {|{"error": "wrong result"}|};
  check "nothing" "it printed something else than its figures" "";
  check "half" "it printed something else than its figures" {|{"seconds": 1.5, "cpu_|};
  check "another object" "figures are missing from what it printed" {|{"seconds": 1.5}|}

(* {1 Usage} *)

let bad_values_are_one_clear_line () =
  let bad arguments parts =
    let what = String.concat " " arguments in
    let { Testing.Child.code; out; err; _ } = elastic arguments in
    Alcotest.(check int) (what ^ ": exit code") 2 code;
    Alcotest.(check string) what "" out;
    Alcotest.(check int) (what ^ ": lines: " ^ err) 1 (List.length (lines err));
    List.iter (fun part -> check_contains what ~part err) parts
  in
  bad [ "--case"; "nothing" ] [ "--case"; "'nothing'"; "--list" ];
  bad [ "--case"; "burst,burst" ] [ "'burst' is given twice" ];
  bad [ "--case"; "beside,twin" ] [ "--case"; "'twin' is given twice" ];
  bad [ "--method"; "thrice" ] [ "--method"; "'thrice'" ];
  bad [ "--workload"; "x" ] [ "--workload"; "'x'" ];
  bad [ "--domains"; "0" ] [ "--domains"; "'0'"; "from 1 to 128" ];
  bad [ "--runs"; "0" ] [ "--runs"; "'0'" ];
  bad [ "--work"; "0" ] [ "--work"; "'0'" ];
  bad [ "--limit"; "0" ] [ "--limit"; "'0'" ];
  bad [ "--case"; "burst"; "--method"; "par" ] [ "burst: nothing to run" ];
  bad
    [ "--case"; "idle_cpu,burst"; "--domains"; "4" ]
    [
      "--domains is for crowded, neighbour, twin, quota_1, quota_1_5, crowded_loops_1, crowded_loops_2, ";
      "crowded_loops_4, and none";
    ];
  bad
    [ "--case"; "idle_cpu"; "--workload"; "alloc" ]
    [ "--workload is for burst, bursts, crowded, "; "and none" ];
  bad [ "crowded" ] [ "crowded" ]

let what_the_environment_sets_is_told () =
  let arguments = [ "--case"; "idle_cpu"; "--method"; "weft"; "--work"; "1"; "--runs"; "1" ] in
  let { Testing.Child.code; out; err; _ } = elastic ~env:[ ("WEFT_DOMAINS", "3") ] arguments in
  Alcotest.(check int) ("exit code, " ^ err) 0 code;
  let part = "Set in the environment: " in
  let told = List.filter (String.starts_with ~prefix:part) (lines out) in
  Alcotest.(check int) ("a line: " ^ out) 1 (List.length told);
  check_contains "the line" ~part:"WEFT_DOMAINS=3" (List.hd told)

let the_list_names_every_case () =
  let { Testing.Child.code; out; _ } = elastic [ "--list" ] in
  Alcotest.(check int) "exit code" 0 code;
  List.iter
    (fun (case : Weft_bench_elastic.Case.t) ->
      check_contains "list" ~part:(Printf.sprintf "%s: %s\n" case.name case.doc) out)
    Weft_bench_elastic.Case.all;
  check_contains "list" ~part:"beside: neighbour, twin, quota_1, quota_1_5\n" out;
  check_contains "list" ~part:"crowded_loops: crowded_loops_1, crowded_loops_2, crowded_loops_4\n" out;
  check_contains "the other list" ~part:"weft bench elastic" (run [ "bench"; "--list" ]).out

let an_unwritable_file_is_found_first () =
  let { Testing.Child.code; err; _ } = elastic [ "--json"; "/missing/out.json" ] in
  Alcotest.(check int) "exit code" 2 code;
  Alcotest.(check int) "lines" 1 (List.length (lines err))

(* {1 What is left behind} *)

let has_role role pid =
  match command_line pid with _ :: _ :: _ :: r :: _ -> String.equal r role | _ -> false

let child_with_role role pid = List.find_opt (has_role role) (children pid)

(* A run that takes a minute or more, so that the test finds it running, beside [other] if any. *)
let long name =
  [ "--case"; name; "--workload"; "compute"; "--domains"; "2"; "--work"; "10000"; "--limit"; "600" ]

let met : (int list * int) option ref = ref None

(* Calls [f] with the measured process when it and its neighbour, if any, have started. *)
let when_measured ?other f pid =
  let there () =
    match (child_with_role "measure" pid, Option.map (fun role -> child_with_role role pid) other) with
    | Some measured, None -> Some [ measured ]
    | Some measured, Some (Some beside) -> Some [ measured; beside ]
    | _ -> None
  in
  let pids = eventually "a run" there in
  met := Some (pids, pid);
  f pid (List.hd pids)

let check_nothing_is_left what =
  let pids, parent = Option.get !met in
  List.iter (fun pid -> Alcotest.(check bool) (what ^ ": its processes have ended") false (is_alive pid)) pids;
  Alcotest.(check (list string)) (what ^ ": no group is left") [] (groups parent)

let quota_is_possible =
  lazy (snd (measured [ "--case"; "quota_1"; "--workload"; "compute"; "--runs"; "1" ]) = [])

let conditions () =
  [ ("neighbour", Some "spin"); ("twin", Some "repeat") ]
  @ if Lazy.force quota_is_possible then [ ("quota_1", None) ] else []

let when_interrupted_nothing_is_left () =
  let check signal (name, other) =
    let interrupt pid _ =
      if String.equal name "quota_1" then Alcotest.(check int) "there is a group" 1 (List.length (groups pid));
      Unix.kill pid signal
    in
    let { Testing.Child.status; out; err; _ } =
      elastic (long name) ~while_running:(when_measured ?other interrupt)
    in
    Alcotest.(check bool) (name ^ ": ends by the signal") true (status = WSIGNALED signal);
    Alcotest.(check string) (name ^ ": no table") "" out;
    Alcotest.(check (list string)) (name ^ ": messages") [] (messages err);
    check_nothing_is_left name
  in
  List.iter (check Sys.sigint) (conditions ());
  check Sys.sigterm ("neighbour", Some "spin")

let when_a_run_fails_nothing_is_left () =
  let check (name, other) =
    let break _ measured = Unix.kill measured Sys.sigkill in
    let { Testing.Child.code; out; err; _ } =
      elastic (long name) ~while_running:(when_measured ?other break)
    in
    Alcotest.(check int) (name ^ ": exit code") 1 code;
    Alcotest.(check string) (name ^ ": no table") "" out;
    Alcotest.(check int) (name ^ ": one line: " ^ err) 1 (List.length (messages err));
    check_contains name ~part:(Printf.sprintf "%s: compute 204800" name) err;
    check_contains name ~part:"ended by SIGKILL" err;
    check_nothing_is_left name
  in
  List.iter check (conditions ())

(* The process of the first round is not interrupted, that of a later round is. All rounds would take
   longer than the watchdog waits. *)
let a_failure_keeps_complete_rounds () =
  let arguments =
    [
      "--case"; "idle_cpu"; "--method"; "weft"; "--work"; "50"; "--limit"; "600"; "--runs"; "1000"; "--json=-";
    ]
  in
  let kill_a_later_one pid first =
    let another () =
      match child_with_role "measure" pid with Some other when other <> first -> Some other | _ -> None
    in
    Unix.kill (eventually "a second run" another) Sys.sigkill
  in
  let { Testing.Child.code; out; err; _ } =
    elastic arguments ~while_running:(when_measured kill_a_later_one)
  in
  Alcotest.(check int) "exit code" 1 code;
  check_contains "the reason" ~part:"ended by SIGKILL" err;
  let json = Yojson.Safe.from_string out in
  let kept = to_int (member "runs" (member "header" json)) in
  Alcotest.(check bool) "not all rounds" true (0 < kept && kept < 1_000);
  check_contains "what is kept"
    ~part:(Printf.sprintf "ended by this: %d of 1000 rounds complete and kept" kept)
    err;
  Alcotest.(check bool) "marked" true (to_bool (member "interrupted" (member "header" json)));
  Alcotest.(check (list int))
    "each has as many" [ kept ]
    (List.map (fun row -> List.length (to_list (member "seconds" row))) (to_list (member "rows" json)))

(* Interrupted when another process than the first is there: the second, unless the machine is slow. If the
   run ended before, the test repeats. *)
let runs_of_the_first_round_are_kept () =
  Testing.Watchdog.until_undisturbed "the first round is interrupted" @@ fun () ->
  let arguments = [ "--case"; "idle_cpu"; "--work"; "50"; "--limit"; "600"; "--runs"; "1"; "--json=-" ] in
  let interrupt_a_later_one pid first =
    let later () =
      match child_with_role "measure" pid with Some other -> other <> first | None -> not (is_alive pid)
    in
    Testing.Watchdog.until "another run" later;
    try Unix.kill pid Sys.sigint with Unix.Unix_error (ESRCH, _, _) -> ()
  in
  let { Testing.Child.code; out; err; _ } =
    elastic arguments ~while_running:(when_measured interrupt_a_later_one)
  in
  match if out = "" then `Null else member "header" (Yojson.Safe.from_string out) with
  | `Assoc _ as header when member "interrupted" header = `Bool true ->
      Alcotest.(check int) "exit code" 130 code;
      let kept = List.length (to_list (member "rows" (Yojson.Safe.from_string out))) in
      let configurations = if kept = 1 then "1 configuration" else Printf.sprintf "%d configurations" kept in
      check_contains "what is kept"
        ~part:(Printf.sprintf "interrupted in the first round: %s kept" configurations)
        err;
      Alcotest.(check bool) "a row" true (kept > 0);
      Alcotest.(check int) "a round" 1 (to_int (member "runs" header));
      Ok ()
  | _ -> Error "it had ended"

(* A shell starts the neighbour, and ends when it is at work. *)
let a_neighbour_without_a_starter_ends () =
  Testing.Child.with_temp_file @@ fun out ->
  Testing.Child.with_temp_file @@ fun said ->
  let starter =
    Printf.sprintf
      "%s bench elastic-child spin 3600 >%s & echo $! >%s; until grep -q begins %s; do sleep 0.01; done"
      (Filename.quote !Program_weft.path) said out said
  in
  Alcotest.(check int) "the shell" 0 (Testing.Child.run "sh" [ "-c"; starter ]).code;
  wait_for_end (int_of_string (String.trim (In_channel.with_open_bin out In_channel.input_all)))

let tests =
  [
    case "idle pools have their rows" idle_pools_have_their_rows;
    case "events have their price, and leave no file" events_have_their_price_and_leave_no_file;
    case "crowded pools are compared with two domains" crowded_pools_are_compared_with_two_domains;
    case "every benchmark is there when crowded" every_benchmark_is_there_when_crowded;
    case "bursts have their rows" bursts_have_their_rows;
    case "crowded loops are compared with a domain less" crowded_loops_are_compared_with_a_domain_less;
    case "pools beside others have their rows" pools_beside_others_have_their_rows;
    case "what takes too long counts as the limit, once" what_takes_too_long_counts_as_the_limit_once;
    case "an exception in a run is an error" an_exception_in_a_run_is_an_error;
    case "what a run prints is figures or an error" what_a_run_prints_is_figures_or_an_error;
    case "bad values are one clear line" bad_values_are_one_clear_line;
    case "what the environment sets is told" what_the_environment_sets_is_told;
    case "the list names every case" the_list_names_every_case;
    case "an unwritable file is found first" an_unwritable_file_is_found_first;
    case "when interrupted, nothing is left" when_interrupted_nothing_is_left;
    case "when a run fails, nothing is left" when_a_run_fails_nothing_is_left;
    case "a failure keeps complete rounds" a_failure_keeps_complete_rounds;
    case "runs of the first round are kept" runs_of_the_first_round_are_kept;
    case "a neighbour without a starter ends" a_neighbour_without_a_starter_ends;
  ]
