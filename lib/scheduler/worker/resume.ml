open Effect.Deep
open Worker

let[@inline never] tell_of_wake (s : _ Job.suspended) = !Trace_hooks.listener.woke s.fiber.id

let continue_soon task (s : _ Job.suspended) =
  Explored.woken s.claim task;
  resume task s.home;
  Suspended_fibers.remove s.home.suspended s.entry

(* The fiber moves from a list of waiters to a queue, unless somebody else has claimed it. What is left to
   who reads its stack is not told to those who trace: the reader has not woken it. *)
let resume_suspended task (s : _ Job.suspended) =
  if Claim.take s.claim then begin
    if !Trace_hooks.on then tell_of_wake s;
    continue_soon task s;
    true
  end
  else Claim.take_or_leave s.claim (fun () -> continue_soon task s)

let end_suspended (s : _ Job.suspended) exn =
  ignore (resume_suspended (Job.resumption (fun () -> discontinue s.continuation exn)) s : bool)

let deliver_one j (waiter : _ Job.waiter) =
  match waiter with
  | Callback f | Attendant { told = f; _ } | Canceller { ended = f; _ } -> f ()
  | Removable g -> Job.tell j g
  | Witness -> Job.witness j
  | Fiber s ->
      ignore (resume_suspended (Job.resumption (fun () -> Job.continue_with s.continuation j)) s : bool)
  | Joiner k ->
      let deque = Deque_memory.current () in
      if deque == Deque_memory.nowhere () then
        invalid_arg "Weft: internal error: a fork that ended outside its pool";
      let task = Job.resumption (fun () -> Job.continue_with k j) in
      Explored.joined (Job.T j) task;
      resume task (of_deque deque).parts.home

(* An exception (the stack is full, memory is) keeps none of the others waiting. *)
let rec deliver_all j waiters =
  match waiters with
  | [] -> ()
  | waiter :: rest -> (
      match deliver_one j waiter with
      | () -> deliver_all j rest
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          deliver_all j rest;
          Printexc.raise_with_backtrace exn backtrace)

let deliver j waiters =
  match waiters with
  | [] -> ()
  | [ waiter ] -> deliver_one j waiter
  | waiters -> deliver_all j (List.rev waiters)
