open Weft_bench_harness
open Weft_bench_foreign
open Testing.Text

(* The programs are shell scripts: some behave as they should, some do not. *)

let script folder name lines =
  let bin = Filename.concat folder "bin" in
  if not (Sys.file_exists bin) then Sys.mkdir bin 0o755;
  let path = Filename.concat bin name in
  Out_channel.with_open_bin path (fun c ->
      List.iter (fun line -> Out_channel.output_string c (line ^ "\n")) ("#!/bin/sh" :: lines));
  Unix.chmod path 0o755

let greets = "echo 'weft-rival 1'"

(* [answering answer] answers every request with [answer], which may use the shell variables benchmark,
   size and cutoff. *)
let answering answer = [ greets; "while read -r benchmark size cutoff; do"; answer; "done" ]
let says json = Printf.sprintf "printf '%%s\\n' '%s'" json
let right = says {|{"seconds": 0.25, "result": "5"}|}

let program ?own name : Programs.t =
  { name; doc = "a script"; own; chunks = true; least_domains = 1; greatest_fib = None }

(* [bench folder programs] joins the folder's programs to a benchmark named fib. *)
let bench ?(limit = 3600.) folder programs arguments =
  let { Foreign.ways; missing } = Foreign.make ~limit ~folder:(Some folder) programs in
  let ways = List.filter_map (fun (name, way) -> if name = "fib" then Some way else None) ways in
  let toy = Toy.benchmark ~name:"fib" () in
  let own name =
    let is_it (p : Programs.t) = String.equal p.name name in
    Option.bind (List.find_opt is_it programs) (fun (p : Programs.t) -> p.own)
  in
  let rivals = { Weft_bench.Measure.no_rivals with own } in
  Toy.bench ~missing ~rivals [ { toy with ways = toy.ways @ ways } ] ([ "--size"; "5" ] @ arguments)

let is_running pid = try Unix.kill pid 0 = () with Unix.Unix_error _ -> false

(* The numbers of the processes that have written theirs to [folder/pids]. *)
let noted folder =
  In_channel.with_open_bin (Filename.concat folder "pids") In_channel.input_lines |> List.map int_of_string

let notes_itself folder = Printf.sprintf "echo $$ >>'%s/pids'" folder

(* {1 Each error is one line} *)

let a_fault_is_one_clear_line () =
  Toy.in_folder @@ fun folder ->
  let faulty ?limit name script_lines parts =
    Out_channel.with_open_bin (Filename.concat folder "pids") ignore;
    script folder name (notes_itself folder :: script_lines);
    let { Toy.code; out; err } =
      bench ?limit folder
        [ program name ]
        [ "--cutoff"; "3"; "--runs"; "1"; "--domains"; "2"; "--method"; name ]
    in
    Alcotest.(check int) (name ^ ": exit code") 1 code;
    Alcotest.(check string) (name ^ ": no table") "" out;
    let err = List.filter (fun line -> not (contains "dev profile" line)) (lines err) in
    Alcotest.(check int) (name ^ ": one line, not " ^ String.concat "|" err) 1 (List.length err);
    List.iter (fun part -> check_contains name ~part (List.hd err)) ("weft bench: fib 5" :: name :: parts)
  in
  faulty "wrong" (answering (says {|{"seconds": 0.25, "result": "6"}|})) [ "wrong result: expected 5, got 6" ];
  faulty "crash" (answering "echo 'out of luck' >&2; exit 3") [ "ended with exit code 3"; "out of luck" ];
  faulty "killed" (answering "kill -9 $$") [ "ended by SIGKILL" ];
  faulty "garbage" (answering "echo '\027[0mhello'") [ "answered '"; "hello" ];
  faulty "number" (answering "echo 17") [ "answered '17'" ];
  faulty "backwards" (answering (says {|{"seconds": -1.5, "result": "5"}|})) [ "answered '" ];
  faulty "unable" (answering (says {|{"error": "no memory"}|})) [ "cannot: no memory" ];
  faulty "silent" ~limit:0.3 (answering "exec sleep 3600") [ "has not answered within 0.3 s" ];
  faulty "mute" ~limit:0.3 [ "exec sleep 3600" ] [ "has not answered within 0.3 s" ];
  faulty "endless" (answering "yes | tr -d '\\n'") [ "does not answer in lines" ];
  faulty "gone" [ "exit 4" ] [ "ended with exit code 4" ];
  faulty "stranger" [ "echo 'hello, world'"; "exec sleep 3600" ] [ "begins with 'hello, world'" ];
  faulty "deaf" [ greets; "exec <&-"; "exit 5" ] [ "ended with exit code 5" ]

let a_file_that_is_no_program_is_one_clear_line () =
  Toy.in_folder @@ fun folder ->
  script folder "text" [];
  Out_channel.with_open_bin (Filename.concat folder "bin/text") (fun c -> output_string c "\000\001\002");
  let { Toy.code; err; _ } =
    bench folder [ program "text" ] [ "--runs"; "1"; "--domains"; "2"; "--method"; "text" ]
  in
  Alcotest.(check int) "exit code" 1 code;
  check_contains "message" ~part:"the program text" err

(* {1 Correct programs} *)

let times_are_those_that_programs_say () =
  Toy.in_folder @@ fun folder ->
  script folder "plain" (answering (says {|{"seconds": 0.125, "result": "5"}|}));
  script folder "fast" (answering right);
  let { Toy.code; out; _ } =
    bench folder
      [ program "plain"; program ~own:"plain" "fast" ]
      [ "--cutoff"; "3"; "--runs"; "3"; "--domains"; "1,2"; "--method"; "sequential,plain,fast"; "--json=-" ]
  in
  Alcotest.(check int) "exit code" 0 code;
  let open Yojson.Safe.Util in
  let rows = to_list (member "rows" (Yojson.Safe.from_string out)) in
  let of_method name = List.filter (fun row -> to_string (member "method" row) = name) rows in
  Alcotest.(check int) "the plain program runs on one domain" 1 (List.length (of_method "plain"));
  List.iter
    (fun row ->
      Alcotest.(check (list (float 0.)))
        "seconds" [ 0.25; 0.25; 0.25 ]
        (List.map to_number (to_list (member "seconds" row)));
      match to_list (member "figures" row) with
      | [ figure ] ->
          Alcotest.(check string) "figure" "x own sequential" (to_string (member "title" figure));
          Alcotest.(check (float 0.)) "ratio" 2. (to_number (member "median" figure))
      | figures -> Alcotest.failf "%d figures" (List.length figures))
    (of_method "fast");
  Alcotest.(check int) "both numbers of domains" 2 (List.length (of_method "fast"))

let one_process_serves_all_runs_and_is_ended () =
  Toy.in_folder @@ fun folder ->
  script folder "fast" (notes_itself folder :: answering right);
  let { Foreign.ways; _ } = Foreign.make ~folder:(Some folder) [ program "fast" ] in
  let way : Benchmark.way = List.assoc "fib" ways in
  let run () =
    match way.work { size = 5; cutoff = None; domains = 2 } with
    | None -> Alcotest.fail "no work"
    | Some (Work { prepare; compute; check; _ }) ->
        let input = prepare () in
        let result, sample =
          way.contestant.inside ~domains:2 (fun () -> Meter.measure (fun () -> compute input))
        in
        Alcotest.(check bool) "right" true (Result.is_ok (check result));
        Alcotest.(check (float 0.)) "seconds" 0.25 sample.seconds
  in
  run ();
  run ();
  match noted folder with
  | [ pid ] ->
      Alcotest.(check bool) "still there" true (is_running pid);
      Foreign.stop_all ();
      Alcotest.(check bool) "gone" false (is_running pid)
  | pids -> Alcotest.failf "%d processes" (List.length pids)

let after_another_measure_times_are_our_own () =
  let sample seconds : Meter.sample =
    {
      seconds;
      cpu_seconds = 0.;
      switches = None;
      minor_collections = None;
      major_collections = None;
      peak_bytes = None;
    }
  in
  let (), told = Meter.measure (fun () -> Meter.tell (sample 1e6)) in
  Alcotest.(check (float 0.)) "told" 1e6 told.seconds;
  let (), own = Meter.measure ignore in
  Alcotest.(check bool) "own" true (own.seconds < 1e5)

let the_product_has_its_check_value () =
  List.iter
    (fun n ->
      let a i k = ((7 * i) + (3 * k)) mod 11 and b k j = ((5 * k) + (2 * j)) mod 13 in
      let sum f = Seq.fold_left ( + ) 0 (Seq.init n f) in
      let element i j = sum (fun k -> a i k * b k j) in
      let expected = sum (fun i -> sum (fun j -> (1 + (i mod 3)) * (1 + (j mod 5)) * element i j)) in
      Alcotest.(check int) (string_of_int n) expected (Foreign.matmul_check_value n))
    [ 1; 2; 7; 30 ]

(* {1 Missing} *)

let what_is_missing_has_a_reason () =
  Toy.in_folder @@ fun folder ->
  script folder "here" (answering right);
  Sys.mkdir (Filename.concat folder "missing") 0o755;
  Out_channel.with_open_bin (Filename.concat folder "missing/noted") (fun c ->
      output_string c "no compiler\nmore");
  let missing folder names =
    let { Foreign.missing; _ } = Foreign.make ~folder (List.map program names) in
    List.map (fun (m : Contestant.missing) -> (m.name, m.reason)) missing
  in
  let check = Alcotest.(check (list (pair string string))) in
  let not_built = "not built (see 'make rivals')" in
  check "in the folder"
    [ ("noted", "no compiler"); ("unknown", not_built) ]
    (missing (Some folder) [ "here"; "noted"; "unknown" ]);
  check "no folder" [ ("here", not_built) ] (missing None [ "here" ]);
  check "a folder that is not there" [ ("here", not_built) ] (missing (Some "/nowhere") [ "here" ])

let the_environment_says_where_programs_are () =
  let check = Alcotest.(check (option string)) in
  let before = Sys.getenv_opt "WEFT_RIVALS" in
  let usual = Programs.folder () in
  Unix.putenv "WEFT_RIVALS" "/some/where";
  check "set" (Some "/some/where") (Programs.folder ());
  Unix.putenv "WEFT_RIVALS" "";
  if Option.is_none before then check "not set" usual (Programs.folder ());
  Option.iter (Unix.putenv "WEFT_RIVALS") before

let what_would_take_too_long_is_said () =
  Toy.in_folder @@ fun folder ->
  script folder "slow" (answering right);
  let slow = { (program "slow") with own = Some "plain"; greatest_fib = Some 4 } in
  let run cutoff =
    let { Toy.out; _ } = bench folder [ slow ] [ "--runs"; "1"; "--domains"; "2"; "--cutoff"; cutoff ] in
    (contains "  slow  " out, contains "Missing: slow in fib: " out)
  in
  let check = Alcotest.(check (pair bool bool)) in
  check "too long" (false, true) (run "none");
  check "short enough" (true, true) (run "1")

(* The real programs, at small sizes, if they have been built. *)
let what_is_built_is_right () =
  let { Foreign.ways; _ } = Foreign.make ~limit:3600. ~folder:(Programs.folder ()) Programs.all in
  let run (name, (way : Benchmark.way)) =
    let one cutoff domains =
      match way.work { size = (if name = "for_irregular" then 2 else 7); cutoff; domains } with
      | None -> ()
      | Some (Work { prepare; compute; check; _ }) -> (
          let input = prepare () in
          match check (way.contestant.inside ~domains (fun () -> compute input)) with
          | Ok () -> ()
          | Error { expected; got } ->
              Alcotest.failf "%s, %s: expected %s, got %s" way.contestant.name name expected got)
    in
    if Contestant.is_plain way.contestant.role then one None 1
    else (
      one None 2;
      one (Some 3) 2)
  in
  Fun.protect ~finally:Foreign.stop_all (fun () -> List.iter run ways)

let tests =
  [
    Testing.Watchdog.case "a fault is one clear line" a_fault_is_one_clear_line;
    Testing.Watchdog.case "a file that is no program is one clear line"
      a_file_that_is_no_program_is_one_clear_line;
    Testing.Watchdog.case "times are those that programs say" times_are_those_that_programs_say;
    Testing.Watchdog.case "one process serves all runs and is ended" one_process_serves_all_runs_and_is_ended;
    Testing.Watchdog.case "after another measure times are our own" after_another_measure_times_are_our_own;
    Testing.Watchdog.case "the product has its check value" the_product_has_its_check_value;
    Testing.Watchdog.case "what is missing has a reason" what_is_missing_has_a_reason;
    Testing.Watchdog.case "the environment says where programs are" the_environment_says_where_programs_are;
    Testing.Watchdog.case "what would take too long is said" what_would_take_too_long_is_said;
    Testing.Watchdog.case "what is built is right" what_is_built_is_right;
  ]
