module Lock = Weft_platform.Lock
module Interrupt = Weft_platform.Interrupt

type policy = Cancel_rest | Keep_going
type failure = { index : int; exn : exn; backtrace : Printexc.raw_backtrace }

exception Nothing

let nothing = Nothing

type t = {
  group : Task_group.t;
  policy : policy;
  lock : Lock.t; (* guards what follows *)
  mutable started : int; (* tasks so far; the body is number 0 *)
  mutable running : int; (* tasks and body that have not ended; 0: closed *)
  mutable failures : failure list; (* youngest first *)
  tasks : (unit -> unit) Wait_queue.t; (* have the end of the scope await one that has not ended *)
  mutable at_end : bool; (* of the body: the scope awaits its tasks *)
  answers : Task_effects.t; (* told when nothing runs any more *)
  mutable cut_short : exn; (* what has ended the wait for that, or [nothing] *)
  strands : Work_span.gathering; (* of the tasks that have ended *)
}

let make policy =
  {
    group = Task_group.make ();
    policy;
    lock = Lock.create ();
    started = 0;
    running = 1;
    failures = [];
    tasks = Wait_queue.create ();
    at_end = false;
    answers = Task_effects.create ();
    cut_short = nothing;
    strands = Work_span.gathering ();
  }

(* What was raised only because the scope, or something around it, was stopped is no failure. *)
let is_echo s exn = exn == Fiber.sibling_failed || Task_group.is_stopped_with s.group exn

(* The body, or a task. *)
type part = {
  mutable index : int;
  mutable inside : bool; (* it has entered, and not left *)
  mutable noted : exn; (* its failure that was noted last, or [nothing] *)
}

(* A failure is noted in two parts: the step is prepared, which only allocates, and then taken to its end. If a signal handler raises
   meanwhile, the failure is noted before that exception goes on, and the caller notes the exception as a second failure. *)
let failing s part exn backtrace =
  let f = { index = part.index; exn; backtrace } in
  fun () ->
    if part.noted != exn && not (is_echo s exn) then
      Lock.protect s.lock (fun () ->
          let failures = f :: s.failures in
          (* No safepoint. *)
          s.failures <- failures;
          part.noted <- exn);
    if part.noted == exn && s.policy = Cancel_rest then
      Task_group.stop s.group (Fiber.Cancelled "another task of the scope has failed")

let rec fail s part exn backtrace =
  match failing s part exn backtrace with
  | step -> Interrupt.complete step
  | exception signal ->
      let signals = Printexc.get_raw_backtrace () in
      fail s part exn backtrace;
      Printexc.raise_with_backtrace signal signals

let enter s part place =
  Lock.protect s.lock @@ fun () ->
  if s.running = 0 then invalid_arg "Weft.Scope.async: the scope is closed";
  Wait_queue.add s.tasks place;
  s.running <- s.running + 1;
  s.started <- s.started + 1;
  part.index <- s.started;
  part.inside <- true

(* Once, also if a signal's exception has it done again; or not at all. *)
let leave s part place () =
  let last =
    Lock.protect s.lock (fun () ->
        if part.inside then begin
          s.running <- s.running - 1;
          part.inside <- false;
          Wait_queue.remove place
        end;
        s.running = 0)
  in
  if last then Task_effects.tell s.answers

(* The end of the scope awaits all tasks: effects of those that nobody has awaited before are performed there. *)
let await_at_the_end s j () =
  ignore (Forward_effects.await ~first:false j (Task_effects.waiter s.answers) : bool)

let rec await_all s =
  match Lock.protect s.lock (fun () -> Wait_queue.first s.tasks) with
  | None -> ()
  | Some place ->
      Wait_queue.contents place ();
      Lock.protect s.lock (fun () -> Wait_queue.remove place);
      await_all s

let abandon j leave = if Job.claim j ~taken:Job.taken then Interrupt.complete leave

(* What the promise has come to counts: a signal's exception may have come after [f], or while its failure was being noted. *)
let end_task s part place (j : _ Job.t) () =
  (match Job.state j with
  | Raised f ->
      let exn, backtrace = Job.observe f in
      fail s part exn backtrace
  | _ -> ());
  leave s part place ()

(* A task leaves when its promise has been settled: whoever comes after the scope finds all promises so. All is prepared before it enters,
   and it may run when what has it leave is there. *)
let async s f =
  let part = { index = 0; inside = false; noted = nothing } in
  let run () =
    match Task_group.enter s.group f with
    | v ->
        Work_span.gather s.strands;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        (* Before the promise is settled: who awaits it may fail by that, and later. *)
        fail s part exn backtrace;
        Work_span.gather s.strands;
        raise_notrace (Run_job.Noted (exn, backtrace))
  in
  let j = Fork_join.task run in
  let place = Wait_queue.place (await_at_the_end s j) in
  let leave = end_task s part place j in
  let leaves = Job.Callback leave in
  let promise = Promise.Private.of_job j in
  match
    enter s part place;
    ignore (Job.add_waiter j leaves : bool);
    Fork_join.start j;
    if s.at_end then await_all s
  with
  | () -> promise
  | exception exn ->
      (* The scope or its pool is closed, or it is a signal's: there is no task then, unless it runs already. *)
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.insist abandon j leave;
      Printexc.raise_with_backtrace exn backtrace

let cancel ?(reason = "the scope was cancelled") s = Task_group.stop s.group (Fiber.Cancelled reason)
let by_index (f : failure) (g : failure) = Int.compare f.index g.index
let failures s = List.map (fun f -> (f.exn, f.backtrace)) (List.sort by_index s.failures)
let stop_whatever_comes s exn = Interrupt.insist Task_group.stop s.group exn

(* Whatever ends the wait stops the tasks, and is noted; they are waited for. *)
let note s exn = if s.cut_short == nothing then s.cut_short <- exn

(* Nothing is allocated outside of the matches, and the calls of itself are no tail calls: see Interrupt. *)
let rec wait s =
  match
    let cancel exn =
      if s.running > 0 then note s exn;
      Task_group.stop s.group exn
    in
    s.at_end <- true;
    await_all s;
    Task_effects.wait s.answers ~what:"the tasks of a Weft.Scope" ~cancel ~over:(fun () -> s.running = 0)
  with
  | () -> ()
  | exception exn ->
      (* A signal's. *)
      note s exn;
      stop_whatever_comes s exn;
      wait s;
      ()

let leave_and_wait s leave =
  (match Interrupt.complete leave with
  | () -> ()
  | exception exn ->
      note s exn;
      stop_whatever_comes s exn);
  wait s

(* What [run] raises, and what it does not. *)
let raise_first s =
  match s.failures with
  | [] -> ()
  | youngest_first ->
      let in_time = List.rev youngest_first in
      let order =
        match s.policy with Cancel_rest -> in_time | Keep_going -> List.stable_sort by_index in_time
      in
      let first = List.hd order in
      List.iter (fun f -> Uncaught.suppressed f.exn f.backtrace) (List.tl order);
      Printexc.raise_with_backtrace first.exn first.backtrace

let run_inside policy f =
  let s = make policy in
  let part = { index = 0; inside = true; noted = nothing } in
  let leave = leave s part (Wait_queue.place ignore) in
  let outcome =
    match
      match Task_group.body s.group (fun () -> f s) with
      | v ->
          Work_span.gather s.strands;
          Ok v
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          fail s part exn backtrace;
          Work_span.gather s.strands;
          Error (exn, backtrace)
    with
    | outcome ->
        leave_and_wait s leave;
        outcome
    | exception signal ->
        let backtrace = Printexc.get_raw_backtrace () in
        (match fail s part signal backtrace with () -> () | exception _ -> ());
        stop_whatever_comes s signal;
        leave_and_wait s leave;
        Error (signal, backtrace)
  in
  Work_span.after s.strands;
  raise_first s;
  (* Tasks may have been cut short though the body was not. *)
  Context.check ();
  match outcome with
  | Ok _ when s.cut_short != nothing -> raise s.cut_short
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let run ?(on_failure = Cancel_rest) f = Current_worker.in_pool (fun () -> run_inside on_failure f)
