module Lock = Weft_platform.Lock

exception Failures of (exn * Printexc.raw_backtrace) list

let printed (exn, _) = Printexc.to_string exn

let () =
  Printexc.register_printer (function
    | Failures all -> Some ("Weft.Scope.Failures: " ^ String.concat "; " (List.map printed all))
    | _ -> None)

type policy = Cancel_rest | Keep_going
type failure = { index : int; exn : exn; backtrace : Printexc.raw_backtrace }

exception Nothing

let nothing = Nothing

type t = {
  group : Task_group.t;
  policy : policy;
  lock : Lock.t; (* guards the fields that follow *)
  mutable started : int; (* tasks so far; the body is number 0 *)
  mutable running : int; (* tasks, and the body, that have not ended; 0: closed *)
  mutable failures : failure list; (* youngest first *)
  tasks : (unit -> unit) Wait_queue.t; (* for each that has not ended: makes the end of the scope await it *)
  mutable at_end : bool; (* the body has ended, and the scope awaits its tasks *)
  answers : Task_effects.t; (* told when nothing runs any more *)
  mutable cut_short : exn; (* the exception that has ended the wait for that, or [nothing] *)
  strands : Work_span.gathering; (* the strands of the tasks that have ended *)
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

(* An exception that was raised only because the scope, or a call around it, was stopped is not a failure. *)
let is_echo s exn = Task_group.is_stopped_with s.group exn

(* The body has index 0. *)
let fail s index exn backtrace =
  if not (is_echo s exn) then begin
    Lock.protect s.lock (fun () -> s.failures <- { index; exn; backtrace } :: s.failures);
    if s.policy = Cancel_rest then
      Task_group.stop s.group (Fiber.Cancelled "another task of the scope has failed")
  end

(* Lists a new task and returns its index. *)
let enter ~who s node =
  Lock.protect s.lock @@ fun () ->
  if s.running = 0 then
    invalid_arg
      (who ^ ": the scope is closed: its Weft.Scope.run has returned, or is about to; start tasks before that");
  Wait_queue.add s.tasks node;
  s.running <- s.running + 1;
  s.started <- s.started + 1;
  s.started

let leave s node () =
  let last =
    Lock.protect s.lock (fun () ->
        s.running <- s.running - 1;
        Wait_queue.remove node;
        s.running = 0)
  in
  if last then Task_effects.tell s.answers

(* The end of the scope awaits all tasks: it performs the effects of those that nobody has awaited before. *)
let await_at_the_end s j () =
  ignore (Forward_effects.await ~first:false j (Task_effects.waiter s.answers) : bool)

let rec await_all s =
  match Lock.protect s.lock (fun () -> Wait_queue.take s.tasks) with
  | None -> ()
  | Some await ->
      await ();
      await_all s

(* A task leaves when its promise has been settled: so after the scope all promises are settled. *)
let async_as who ?name s f =
  Weft_platform.Stack_room.(ensure call);
  let index = ref 0 and task = Cancellable.create () in
  let id = Task_name.make ?name f in
  let run () =
    Task_name.begins id;
    match Task_group.enter ~task s.group f with
    | v ->
        Work_span.gather s.strands;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        (* Before the promise is settled: a task that awaits it may then fail with the same exception, and
           that failure must come later. *)
        if not (Cancellable.is_cancelled_with task exn) then fail s !index exn backtrace;
        Work_span.gather s.strands;
        raise_notrace (Run_job.Noted (exn, backtrace))
  in
  let j = Fork_join.task run in
  let node = Wait_queue.node (await_at_the_end s j) in
  index := enter ~who s node;
  ignore (Job.add_waiter j (Cancellable.canceller task j ~ended:(leave s node)) : bool);
  match Fork_join.start ~who j with
  | () ->
      if s.at_end then await_all s;
      Promise.Private.of_job j
  | exception exn ->
      (* The caller is cancelled, or the pool is closed. If the task has begun all the same, it leaves when it
         has ended. *)
      let backtrace = Printexc.get_raw_backtrace () in
      if Run_job.claim j then leave s node ();
      Printexc.raise_with_backtrace exn backtrace

let async ?name s f = async_as "Weft.Scope.async" ?name s f
let start ?name s f = ignore (async_as "Weft.Scope.start" ?name s f : unit Promise.t)
let cancel ?(reason = "the scope was cancelled") s = Task_group.stop s.group (Fiber.Cancelled reason)
let by_index (f : failure) (g : failure) = Int.compare f.index g.index
let failures s = List.map (fun f -> (f.exn, f.backtrace)) (List.sort by_index s.failures)

(* Under the lock, so that the caller sees all writes of the tasks, and their failures. *)
let is_over s = Lock.protect s.lock (fun () -> s.running = 0)

(* If an exception ends the wait, it is noted and stops the tasks, and the wait goes on until they have
   ended. *)
let wait s =
  let cancel exn =
    if s.running > 0 && s.cut_short == nothing then s.cut_short <- exn;
    Task_group.stop s.group exn
  in
  s.at_end <- true;
  await_all s;
  Task_effects.wait s.answers ~what:"the tasks of a Weft.Scope" ~cancel ~over:(fun () -> is_over s)

(* Raises the first failure, if there is any; the others go to the handler, or with it. *)
let raise_first s ~collect =
  match s.failures with
  | [] -> ()
  | youngest_first ->
      let in_time = List.rev youngest_first in
      let order =
        match s.policy with Cancel_rest -> in_time | Keep_going -> List.stable_sort by_index in_time
      in
      let first = List.hd order in
      if collect then
        Printexc.raise_with_backtrace
          (Failures (List.map (fun f -> (f.exn, f.backtrace)) order))
          first.backtrace;
      List.iter (fun f -> Uncaught.suppressed f.exn f.backtrace) (List.tl order);
      Printexc.raise_with_backtrace first.exn first.backtrace

let run_inside policy ~collect f =
  (* Even a caller that is cancelled has its body called: it may be clean-up. *)
  Context.shield Poll.checkpoint;
  let s = make policy in
  let outcome =
    match Task_group.body s.group (fun () -> f s) with
    | v -> Ok v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        fail s 0 exn backtrace;
        Error (exn, backtrace)
  in
  Work_span.gather s.strands;
  leave s (Wait_queue.node ignore) ();
  wait s;
  Work_span.after s.strands;
  raise_first s ~collect;
  (* The tasks may have been cancelled though the body was not. *)
  Poll.check ();
  match outcome with
  | Ok _ when s.cut_short != nothing -> raise s.cut_short
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let run ?(on_failure = Cancel_rest) ?(collect = false) f =
  Current_worker.in_pool (fun () -> run_inside on_failure ~collect f)
