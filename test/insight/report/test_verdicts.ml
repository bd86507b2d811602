(* What weft report once claimed though the trace did not show it, and what it did not say though it did. *)

open Made_traces
open Weft_report

let case name f = Testing.Watchdog.case name f
let ms = Made.ms

let analyse text =
  Made.in_file text @@ fun path ->
  match Trace.load path with
  | Ok trace -> Analysis.of_trace ~file:path trace
  | Error message -> Alcotest.fail message

let findings text = (analyse text).diagnoses
let kinds text = List.map (fun (d : Finding.t) -> Finding.kind_name d.kind) (findings text)
let texts = Alcotest.(list string)

(* {1 No worker has a job} *)

let looks_at_cpu all =
  List.map
    (fun (at, cpu) -> Made.counter "process" ~id:"0" [ ("cpu_us", ms cpu); ("waiting_us", 0.) ] (ms at))
    all

(* For 40 of 280 ms, no worker has a job. Meanwhile the process has the processor for [cpu] ms. *)
let starts_late ?cpu () =
  let looks = match cpu with None -> [] | Some cpu -> [ (0., 0.); (40., cpu); (280., cpu +. 480.) ] in
  Made.weft
    (Made.names
    @ [ Made.job 0 (ms 40.) (ms 280.); Made.job 1 (ms 40.) (ms 280.) ]
    @ looks_at_cpu looks
    @ [ Made.event "i" ~tid:0 ~cat:"worker" "join" 0. (Made.of_worker 0 []) ])

let nobody_has_a_job () =
  Alcotest.check texts "it waits for its start" [ "balanced" ] (kinds (starts_late ~cpu:3. ()));
  List.iter
    (fun (what, text) ->
      let d = List.hd (findings text) in
      Alcotest.(check string) what "too_little_parallelism" (Finding.kind_name d.kind);
      Alcotest.(check bool) d.advice true (String.starts_with ~prefix:"The program computes outside" d.advice))
    [ ("it computes", starts_late ~cpu:36. ()); ("nobody knows what it does", starts_late ()) ];
  (* Of 100 ms, the caller sleeps in the middle; beside the workers, little is computed. *)
  let sleeps_between =
    let both f = f 0 @ f 1 in
    Made.weft
      (Made.names
      @ both (fun n -> [ Made.job n 0. (ms 40.); Made.job n (ms 70.) (ms 100.) ])
      @ looks_at_cpu [ (0., 0.); (50., 80.); (60., 80.5); (100., 142.) ])
  in
  Alcotest.check texts "it sleeps between its calls" [ "balanced" ] (kinds sleeps_between)

let () =
  Alcotest.run
    ~argv:[| "test_verdicts"; "--compact"; "--show-errors" |]
    "verdicts"
    [
      ( "idleness",
        [ case "that no worker has a job is the program's doing only if it computes" nobody_has_a_job ] );
    ]
