module Effort = Testing.Effort

let case = Testing.Watchdog.case
let patience = 1_000

let failure what f =
  match f () with
  | () -> Alcotest.failf "%s: no failure" what
  | exception Weft_explore.Failed report -> report

(* What stands between {| and |} in a report. *)
let between first last text =
  let find part from =
    let n = String.length part in
    let rec go i = if String.sub text i n = part then i else go (i + 1) in
    go from
  in
  let start = find first 0 + String.length first in
  String.sub text start (find last start - start)

let most_choices = 30

let is_found (fault : Faults.t) () =
  let seeds = Effort.some ~quick:[ 0 ] [ 0; 1_000_000; 2_000_000 ] in
  List.iter
    (fun seed ->
      let report = failure fault.name (fun () -> Weft_explore.check ~patience ~seed fault.f) in
      let first = List.hd (String.split_on_char '\n' report) in
      if not (String.ends_with ~suffix:(" fails: " ^ fault.kind) first) then
        Alcotest.failf "%s: %s" fault.name report;
      let schedule = between "{|" "|}" report in
      let choices = List.length (String.split_on_char '\n' schedule) - 2 in
      if choices > most_choices then Alcotest.failf "%s: %d choices are left" fault.name choices;
      let again () =
        failure (fault.name ^ ", again") (fun () -> Weft_explore.replay ~patience schedule fault.f)
      in
      let table = again () in
      Alcotest.(check string) "the same" table (again ());
      if not (String.starts_with ~prefix:(fault.kind ^ "\n") table) then
        Alcotest.failf "%s, again: %s" fault.name table)
    seeds

let tests =
  List.map
    (fun (f : Faults.t) -> case f.name (is_found f))
    (Faults.all @ Timed_faults.all @ Atomic_faults.wrong)

let needs_timers (f : Faults.t) =
  case f.name (fun () -> Weft_explore.check ~patience ~timers:false ~schedules:1_000 f.f)

(* The second is to come later than what the first one brings about at once. *)
let one_time_out_at_a_time () = Weft_explore.check ~schedules:1 Timed_faults.two_time_outs.f

(* --- the library --- *)

let holds ?(timers = true) ?(share = 1) (name, f) =
  let schedules = Effort.count ~quick:200 ~usual:10_000 ~long:100_000 in
  let schedules = schedules / share in
  case name (fun () ->
      Weft_explore.check ~patience ~timers ~schedules f;
      ignore (Weft_explore.check_all ~patience ~timers ~schedules:(schedules / 2) ~choices:2 f : bool))

let library =
  List.map holds (Library.all @ Batches.all @ Atomic_faults.right)
  @ List.map (holds ~share:10) Batches.slow
  @ List.map (holds ~timers:false) Library.without_timers

(* --- what is wrong with the call --- *)

let refused says f =
  match f () with
  | _ -> Alcotest.failf "not refused: %s" says
  | exception Invalid_argument why ->
      if not (Testing.Text.contains says why && String.starts_with ~prefix:"Weft_explore." why) then
        Alcotest.failf "%s: %s" says why

let is_refused () =
  let check ?schedules ?depth ?patience () = Weft_explore.check ?schedules ?depth ?patience ignore in
  refused "schedules is 0, less than 1" (check ~schedules:0);
  refused "depth is 0" (check ~depth:0);
  refused "patience is -1" (check ~patience:(-1));
  refused "choices is -1" (fun () -> Weft_explore.check_all ~choices:(-1) ignore);
  refused "check: called from a task" (fun () -> Weft.run (fun () -> Weft_explore.check ignore));
  Weft_explore.check ~schedules:1 (fun () ->
      let nested () = refused "another function is being explored" (fun () -> Weft_explore.check ignore) in
      nested ();
      Domain.join (Domain.spawn nested));
  refused "the pool \"mine\" is open" (fun () ->
      Weft.Pool.with_pool ~name:"mine" (fun _ -> Weft_explore.check ignore));
  refused "replay: it is no schedule" (fun () -> Weft_explore.replay "" ignore);
  refused "line 2" (fun () -> Weft_explore.replay "weft-schedule 1\nhello\n" ignore);
  refused "1 of its 1 choices do not fit" (fun () ->
      Weft_explore.replay "weft-schedule 1\n0 7 -> 0.1\n" ignore)

let not_the_same_each_time () =
  let runs = ref 0 in
  let f () =
    incr runs;
    if !runs = 3 then failwith "the third"
  in
  let report = failure "it fails once" (fun () -> Weft_explore.check f) in
  Alcotest.(check bool) report true (Testing.Text.contains "does not fail again" report)

(* Random numbers, time and pools are as before; each run begins with the same numbers. *)
let leaves_nothing () =
  let seen = ref None in
  let f () =
    let now = (Random.bits (), Weft.now ()) in
    Weft.sleep 3600.;
    match !seen with
    | None -> seen := Some now
    | Some first -> if first <> now then failwith "another beginning"
  in
  let before = Weft.now () and next = Random.State.bits (Random.get_state ()) in
  Weft_explore.check ~schedules:100 f;
  Alcotest.(check int) "random numbers go on" next (Random.bits ());
  Alcotest.(check bool) "no hour has passed" true (Weft.now () -. before < 3600.);
  Alcotest.(check (pair int int)) "a fork" (1, 2) (Weft.par (fun () -> 1) (fun () -> 2));
  Weft.run (fun () -> Weft.sleep 0.001)

let a_dropped_task () =
  let f () = ignore (Weft.async (fun () -> failwith "dropped") : unit Weft.promise) in
  let report = failure "dropped" (fun () -> Weft_explore.check f) in
  Alcotest.(check bool) report true (Testing.Text.contains "exception Failure" report)

(* Whatever the function makes of it, it is a failure. *)
let a_swallowed_livelock () =
  let rec wait () =
    Weft.yield ();
    wait ()
  in
  let in_task () =
    let p = Weft.async wait in
    try Weft.await p with _ -> ()
  in
  List.iter
    (fun f ->
      let report = failure "livelock" (fun () -> Weft_explore.check ~patience:100 f) in
      Alcotest.(check bool) report true (Testing.Text.contains "fails: livelock" report))
    [ (fun () -> try wait () with _ -> ()); in_task; (fun () -> Weft.Cancel.shield wait) ]

let one_pool () =
  Weft_explore.check ~schedules:50 (fun () ->
      let p = Weft.Pool.async (Weft.Pool.default ()) (fun () -> 1) in
      let n = Weft.run ~domains:2 (fun () -> fst (Weft.par (fun () -> 2) ignore)) in
      if Weft.await p + n <> 3 then failwith "wrong");
  let report =
    failure "another pool" (fun () -> Weft_explore.check (fun () -> Weft.Pool.with_pool (fun _ -> ())))
  in
  Alcotest.(check bool) report true (Testing.Text.contains "has one pool" report)

let a_task_that_waits () =
  let f () =
    ignore
      (Weft.async (fun () -> Weft.await (Weft.Promise.create () : unit Weft.promise)) : unit Weft.promise)
  in
  let report = failure "it waits" (fun () -> Weft_explore.check f) in
  Alcotest.(check bool) report true (Testing.Text.contains "a task that waits for ever" report)

let a_break () =
  match Weft_explore.check (fun () -> raise Sys.Break) with
  | () -> Alcotest.fail "it goes on"
  | exception Sys.Break -> ()

let goes_on () =
  let r = Testing.Child.run "./stubborn.exe" [] in
  Alcotest.(check int) r.err 125 r.code;
  Alcotest.(check bool) r.err true (Testing.Text.contains "goes on although each point raises" r.err)

(* The points of this run are shown, those before the structure's own atomic accesses among them. *)
let inside_of_batches () =
  let f () =
    Batches.counter ();
    failwith "shown"
  in
  let report = failure "it fails" (fun () -> Weft_explore.check f) in
  Alcotest.(check bool)
    report true
    (Testing.Text.contains "Atomic.compare_and_set publication_list.ml" report)

let summaries () =
  let told = ref None in
  let summary s = told := Some s in
  let schedules_and_pairs () =
    match !told with
    | Some (s : Weft_explore.summary) ->
        if not (s.per_second > 0.) then Alcotest.failf "%f schedules per second" s.per_second;
        (s.schedules, s.pairs)
    | None -> Alcotest.fail "no summary"
  in
  let right = Points.(fun () -> both point point) and wrong = Faults.lost_update in
  Weft_explore.check ~schedules:50 ~summary right;
  let schedules, pairs = schedules_and_pairs () in
  Alcotest.(check int) "all of them" 50 schedules;
  Alcotest.(check bool) "two fibers, one after the other" true (pairs > 0);
  ignore (Weft_explore.check_all ~choices:1 ~summary right : bool);
  Alcotest.(check bool) "those of an exhaustive search" true (fst (schedules_and_pairs ()) > 1);
  let report = failure "wrong" (fun () -> Weft_explore.check ~summary wrong) in
  let number = Scanf.sscanf report "schedule %d fails" Fun.id in
  Alcotest.(check int) "up to the failure" number (fst (schedules_and_pairs ()))

let calls =
  [
    case "batched structures are explored inside" inside_of_batches;
    case "schedules are counted" summaries;
    case "wrong arguments and places are refused" is_refused;
    case "a function that does not do the same each time" not_the_same_each_time;
    case "nothing is left" leaves_nothing;
    case "a task that nobody awaits" a_dropped_task;
    case "a livelock that is swallowed" a_swallowed_livelock;
    case "there is one pool" one_pool;
    case "a task that still waits" a_task_that_waits;
    case "Ctrl-C ends the search" a_break;
    case "a function that goes on although points raise" goes_on;
  ]

let () =
  Alcotest.run "explorations"
    [
      ("faults", tests);
      ("not found without timers", List.map needs_timers Timed_faults.one_time_out);
      ("one time-out at a time", [ case "usually" one_time_out_at_a_time ]);
      ("calls", calls);
      ("library", library);
    ]
