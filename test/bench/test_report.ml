let script = ref ""
let write path text = Out_channel.with_open_bin path (fun c -> Out_channel.output_string c text)
let read = Testing.Text.read

let program folder name lines =
  let path = Filename.concat folder name in
  write path (String.concat "\n" ("#!/bin/sh" :: lines) ^ "\n");
  Unix.chmod path 0o755;
  path

(* A program in place of weft: it notes its arguments, writes the file of --json, and ends with the code
   that [codes] has for the name of that file, or with 0. For "plot" it writes the report; with --list it
   ends with [asked]. *)
let stub folder ~asked ~codes =
  let code (name, lines) = Printf.sprintf "*/%s.json) %s;;" name lines in
  program folder "weft"
    ([
       (* scripts/bench first asks with --list whether the benchmarks' names exist. *)
       Printf.sprintf "case \"$*\" in *--list) echo \"$*\" >'%s/asked'; exit %d;; esac" folder asked;
       Printf.sprintf "echo \"$*\" >>'%s/calls'" folder;
       "if [ \"$1\" = plot ]; then";
       "  while [ \"$1\" != -o ]; do shift; done";
       "  echo report >\"$2/report.html\"; exit 0";
       "fi";
       "while [ \"$1\" != --json ]; do shift; done";
       "case \"$2\" in";
     ]
    @ List.map code codes @ [ "esac"; "echo results >\"$2\"" ])

type ended = { code : int; asked : string; calls : string list; kept : bool; reported : bool }

(* The run is alone in its process group, as in a terminal: the signal goes to all in the group. *)
let run ?(quick = true) ?(runs = "") ?(asked = 0) ?interrupt_at ~codes () =
  let result = ref None in
  Toy.in_folder (fun folder ->
      let report = Filename.concat folder "the report" in
      Sys.mkdir report 0o755;
      List.iter
        (fun name -> write (Filename.concat report name) "old")
        [ "all.json"; "deep.json"; "report.html" ];
      let environment =
        [
          "WEFT=" ^ stub folder ~asked ~codes;
          "REPORT=" ^ report;
          (if quick then "QUICK=1" else "QUICK=");
          "RUNS=" ^ runs;
          "SWEEP=fib iota";
          (* This test does not depend on the machine's gnuplot. *)
          Printf.sprintf "PATH=%s:%s" (Filename.dirname (program folder "gnuplot" [])) (Sys.getenv "PATH");
        ]
      in
      let null = Unix.openfile "/dev/null" [ O_RDWR; O_CLOEXEC ] 0 in
      let pid =
        Unix.create_process_env "setsid"
          [| "setsid"; "--wait"; "sh"; !script |]
          (Array.of_list environment) null null null
      in
      Unix.close null;
      let waiting = Filename.concat folder "waiting" in
      let status = ref None in
      let has_ended () =
        (if !status = None then
           match Unix.waitpid [ WNOHANG ] pid with 0, _ -> () | _, ended -> status := Some ended);
        !status <> None
      in
      let until_waiting () =
        Testing.Watchdog.until "the script comes to the step that waits" (fun () ->
            Sys.file_exists waiting || has_ended ());
        if Sys.file_exists waiting then
          Unix.kill (-int_of_string (String.trim (read waiting))) (Option.get interrupt_at)
      in
      let wait () =
        Testing.Watchdog.until "the script ends" has_ended;
        match Option.get !status with
        | WEXITED code -> code
        | WSIGNALED signal | WSTOPPED signal -> Alcotest.failf "signal %d" signal
      in
      let code =
        try
          if Option.is_some interrupt_at then until_waiting ();
          wait ()
        with failure ->
          (* Otherwise it would wait for ever: in a group of its own, nobody else ends it. *)
          (try Unix.kill (-pid) Sys.sigkill with Unix.Unix_error _ -> ());
          raise failure
      in
      let without_folder call =
        List.filter_map
          (fun word ->
            if word = "the" then None
            else if String.starts_with ~prefix:"report/" word then
              Some (String.sub word 7 (String.length word - 7))
            else if String.starts_with ~prefix:folder word then None
            else Some word)
          (String.split_on_char ' ' call)
      in
      let calls =
        match read (Filename.concat folder "calls") with
        | text -> List.filter (( <> ) "") (String.split_on_char '\n' text)
        | exception Sys_error _ -> []
      in
      let reported = String.trim (read (Filename.concat report "report.html")) <> "old" in
      let calls = List.map (fun call -> String.concat " " (without_folder call)) calls in
      let asked = String.trim (read (Filename.concat folder "asked")) in
      let kept = Sys.file_exists (Filename.concat report "deep.json") in
      result := Some { code; asked; calls; kept; reported });
  Option.get !result

let check_calls = Alcotest.(check (list string))

let all_is_measured_and_plotted () =
  let ended = run ~quick:false ~codes:[] () in
  Alcotest.(check int) "exit code" 0 ended.code;
  check_calls "calls"
    [
      "bench --json suites.json";
      "bench fib iota --sweep domains --json domains.json";
      "bench fib iota --sweep cutoff --json cutoffs.json";
      "bench --method par,async,scope-async,pool-async,outside-async,loop,array,fibers,select,submit,batched \
       --domains 2,4,8,16 --json crowded.json";
      "bench elastic --runs 3 --json elastic.json";
      "bench batch --domains 1,2,8 --json batches.json";
      "bench uts_t3l --method sequential,par --runs 1 --json deep.json";
      "bench batch_mixes batch_patterns --runs 3 --json mixes.json";
      "plot suites.json domains.json cutoffs.json crowded.json elastic.json batches.json deep.json \
       mixes.json -o report --format svg,png,pdf";
    ]
    ended.calls;
  Alcotest.(check bool) "report" true ended.reported

let as_many_runs_as_wanted () =
  let ended = run ~runs:"3" ~codes:[] () in
  check_calls "calls"
    [
      "bench all --quick --runs 3 --json all.json";
      "bench fib iota --sweep domains --quick --runs 3 --json domains.json";
      "bench fib iota --sweep cutoff --quick --runs 3 --json cutoffs.json";
      "plot all.json domains.json cutoffs.json -o report --format svg,png,pdf";
    ]
    ended.calls

let wrong_words_cost_nothing () =
  let ended = run ~runs:"x" ~asked:2 ~codes:[] () in
  Alcotest.(check int) "exit code" 2 ended.code;
  Alcotest.(check string) "asked" "bench fib iota --quick --runs x --list" ended.asked;
  check_calls "nothing is measured" [] ended.calls;
  Alcotest.(check bool) "what was there stays" true ended.kept;
  Alcotest.(check bool) "report" false ended.reported

let a_step_that_fails_costs_no_report () =
  let ended = run ~codes:[ ("all", "echo some >\"$2\"; exit 1"); ("domains", "exit 3") ] () in
  Alcotest.(check int) "the first exit code" 1 ended.code;
  check_calls "what there is, is plotted"
    [
      "bench all --quick --json all.json";
      "bench fib iota --sweep domains --quick --json domains.json";
      "bench fib iota --sweep cutoff --quick --json cutoffs.json";
      "plot all.json cutoffs.json -o report --format svg,png,pdf";
    ]
    ended.calls;
  Alcotest.(check bool) "report" true ended.reported

let an_interrupted_run_is_plotted () =
  (* Small systems have no ps, but /proc. *)
  let pgid =
    "{ ps -o pgid= -p $$ 2>/dev/null || sed 's/.*) //' /proc/$$/stat | cut -d ' ' -f 3; } | tr -d ' ' \
     >\"${0%/weft}/waiting.new\""
  in
  let waits =
    Printf.sprintf
      "trap 'echo part >\"$file\"; exit 130' INT; file=$2; %s; mv \"${0%%/weft}/waiting.new\" \
       \"${0%%/weft}/waiting\"; while :; do sleep 0.05; done"
      pgid
  in
  let ended = run ~interrupt_at:Sys.sigint ~codes:[ ("domains", waits) ] () in
  Alcotest.(check int) "exit code" 130 ended.code;
  check_calls "nothing more is measured"
    [
      "bench all --quick --json all.json";
      "bench fib iota --sweep domains --quick --json domains.json";
      "plot all.json domains.json -o report --format svg,png,pdf";
    ]
    ended.calls;
  Alcotest.(check bool) "report" true ended.reported

let without_results_the_old_report_stays () =
  let ended = run ~codes:[ ("all", "exit 2"); ("domains", "exit 2"); ("cutoffs", "exit 2") ] () in
  Alcotest.(check int) "exit code" 2 ended.code;
  Alcotest.(check int) "no plot" 3 (List.length ended.calls);
  Alcotest.(check bool) "report" false ended.reported

let case = Testing.Watchdog.case

let tests =
  [
    case "all is measured and plotted" all_is_measured_and_plotted;
    case "as many runs as wanted" as_many_runs_as_wanted;
    case "wrong words cost nothing" wrong_words_cost_nothing;
    case "a step that fails costs no report" a_step_that_fails_costs_no_report;
    case "an interrupted run is plotted" an_interrupted_run_is_plotted;
    case "without results the old report stays" without_results_the_old_report_stays;
  ]
