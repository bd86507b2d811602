open Weft_bench_harness

let program = ref ""

(* {1 Processes} *)

open Testing

(* [weft bench arguments]; [meanwhile child] is called when it has started. The runs would go on for hours:
   they end when they are interrupted, or the test hangs. *)
let bench ?env arguments meanwhile =
  let child = Child.start ?env !program ("bench" :: arguments) in
  meanwhile child;
  Child.finish child

let interrupted_after seconds signal child =
  Child.wait_for_handler child signal;
  Unix.sleepf seconds;
  Child.signal child signal

let check_status what expected (ended : Child.ended) =
  let show = function
    | Unix.WEXITED code -> Printf.sprintf "exit code %d" code
    | WSIGNALED signal | WSTOPPED signal -> Printf.sprintf "signal %d" signal
  in
  Alcotest.(check string) (what ^ ": " ^ ended.err) (show expected) (show ended.status)

let messages err =
  let is_message line = line <> "" && not (String.ends_with ~suffix:"for real figures" line) in
  List.filter is_message (String.split_on_char '\n' err)

(* {1 Promises} *)

open Yojson.Safe.Util

(* On a slow machine a round takes longer. *)
let rec until_a_round_is_complete ?(seconds = 0.5) signal check =
  Toy.in_folder @@ fun folder ->
  let file = Filename.concat folder "out.json" in
  let arguments =
    [
      "fib";
      "nqueens";
      "--size";
      "5";
      "--domains";
      "1,2";
      "--method";
      "sequential,par,async,domain-spawn";
      "--runs";
      "1000000";
      "--json";
      file;
    ]
  in
  let ended = bench arguments (interrupted_after seconds signal) in
  check_status "exit code" (WEXITED 130) ended;
  let is_in_first_round = Text.contains "in the first round" ended.err in
  if is_in_first_round || not (Sys.file_exists file) then
    until_a_round_is_complete ~seconds:(2. *. seconds) signal check
  else (
    Alcotest.(check (array string)) "nothing beside the file" [| "out.json" |] (Sys.readdir folder);
    check ended (Yojson.Safe.from_file file))

let complete_rounds_are_kept signal () =
  until_a_round_is_complete signal @@ fun { out; err; _ } json ->
  let header = member "header" json and rows = to_list (member "rows" json) in
  let runs = to_int (member "runs" header) in
  Alcotest.(check bool) "marked" true (to_bool (member "interrupted" header));
  Alcotest.(check int) "what was asked for" 1_000_000 (to_int (member "runs_asked" header));
  Alcotest.(check bool) "rounds" true (runs >= 1 && runs < 1_000_000);
  let expected = [ Printf.sprintf "weft bench: interrupted: %d of 1000000 rounds complete and kept" runs ] in
  Alcotest.(check (list string)) "message" expected (messages err);
  Alcotest.(check int) "rows" 16 (List.length rows);
  List.iter
    (fun row -> Alcotest.(check int) "runs of each" runs (List.length (to_list (member "seconds" row))))
    rows;
  let headings = List.filter (String.starts_with ~prefix:"fib 5") (String.split_on_char '\n' out) in
  Alcotest.(check (list string)) "the table" [ "fib 5, cutoff 20"; "fib 5, no cutoff" ] headings

let a_long_run_is_left_where_it_is () =
  let check arguments =
    Toy.in_folder @@ fun folder ->
    let file = Filename.concat folder "out.json" in
    let ended = bench (arguments @ [ "--json"; file ]) (interrupted_after 0.3 Sys.sigint) in
    check_status (String.concat " " arguments) (WEXITED 130) ended;
    Alcotest.(check string) "no table" "" ended.out;
    Alcotest.(check (list string))
      "message"
      [ "weft bench: interrupted before anything was measured" ]
      (messages ended.err);
    Alcotest.(check (array string)) "no file" [||] (Sys.readdir folder)
  in
  check [ "nqueens"; "--size"; "18"; "--method"; "sequential" ];
  check [ "fib"; "--size"; "60"; "--method"; "par"; "--domains"; "2" ];
  check [ "nqueens"; "--size"; "18"; "--method"; "domain-spawn"; "--domains"; "2" ];
  check [ "channel_n_n_rendezvous"; "--size"; "1000000000"; "--method"; "event"; "--domains"; "2" ];
  check [ "mutex_waiting"; "--size"; "1000000000"; "--method"; "fibers"; "--domains"; "2" ];
  check [ "wake"; "--size"; "1000000"; "--domains"; "2" ]

let no_file_of_lines_is_left () =
  Toy.in_folder @@ fun folder ->
  let written child =
    while Sys.readdir folder = [||] && not (Child.has_ended child) do
      Unix.sleepf 0.0001
    done;
    Child.signal child Sys.sigint
  in
  let arguments = [ "data_lines"; "--size"; "1000"; "--domains"; "1"; "--runs"; "1000000" ] in
  check_status "exit code" (WEXITED 130) (bench ~env:[ ("TMPDIR", folder) ] arguments written);
  Alcotest.(check (array string)) "no file" [||] (Sys.readdir folder)

(* The report waits for somebody to read it. *)
let rec a_second_signal_ends_at_once seconds =
  let status = ref None in
  Toy.in_folder (fun folder ->
      let pipe = Filename.concat folder "pipe" in
      Unix.mkfifo pipe 0o600;
      let twice child =
        interrupted_after seconds Sys.sigint child;
        (* Two signals that arrive before it runs again count as one. *)
        while not (Child.has_ended child) do
          Unix.sleepf 0.3;
          Child.signal child Sys.sigint
        done
      in
      let arguments =
        [
          "fib";
          "--size";
          "5";
          "--domains";
          "1";
          "--quick";
          "--method";
          "sequential,par,async";
          "--runs";
          "1000000";
          "--json";
          pipe;
        ]
      in
      status := Some (bench arguments twice));
  let ended = Option.get !status in
  (* Nothing was measured yet, so the first signal ended it without a report. *)
  if ended.status = WEXITED 130 then a_second_signal_ends_at_once (2. *. seconds)
  else check_status "by the signal" (WSIGNALED Sys.sigint) ended

let an_ignored_signal_stays_ignored () =
  let before = Sys.signal Sys.sigint Signal_ignore in
  let ended =
    Fun.protect
      ~finally:(fun () -> Sys.set_signal Sys.sigint before)
      (fun () ->
        bench [ "timers_late"; "--size"; "200"; "--method"; "threads"; "--domains"; "1"; "--runs"; "1" ]
          (fun child ->
            Unix.sleepf 0.1;
            Child.signal child Sys.sigint))
  in
  check_status "exit code" (WEXITED 0) ended

(* {1 Sessions} *)

exception Stop

let a_session_keeps_complete_rounds_only () =
  let configs = Result.get_ok (Plan.make (Plan.of_all [ Toy.benchmark () ])) in
  let n = List.length configs in
  let stopped_after steps =
    let session = Runner.session configs in
    let seen = ref 0 in
    let progress ~round:_ _ =
      if !seen = steps then raise Stop;
      incr seen
    in
    (match Runner.run_session ~runs:3 ~progress session with _ -> () | exception Stop -> ());
    let measured = Runner.measured session in
    (Runner.complete_rounds session, List.map (fun (m : Runner.measured) -> List.length m.samples) measured)
  in
  let each k = List.init n (fun _ -> k) in
  let check what expected steps =
    Alcotest.(check (pair int (list int))) what expected (stopped_after steps)
  in
  check "while warming up" (0, []) (n - 1);
  check "in the first round" (0, [ 1; 1 ]) (n + 2);
  check "after it" (1, each 1) (2 * n);
  check "in the second" (1, each 1) ((3 * n) - 1);
  check "at the end" (3, each 3) max_int

let case = Watchdog.case

let tests =
  [
    case "a session keeps complete rounds only" a_session_keeps_complete_rounds_only;
    case "Ctrl-C: complete rounds are kept" (complete_rounds_are_kept Sys.sigint);
    case "SIGTERM: complete rounds are kept" (complete_rounds_are_kept Sys.sigterm);
    case "a long run is left where it is" a_long_run_is_left_where_it_is;
    case "no file of lines is left" no_file_of_lines_is_left;
    case "a second signal ends at once" (fun () -> a_second_signal_ends_at_once 0.5);
    case "an ignored signal stays ignored" an_ignored_signal_stays_ignored;
  ]
