open Effect.Deep
open Worker

(* A fiber goes from a list of waiters to a queue, if nobody else takes it there. [task] continues it. *)
let resuming_if mine task (s : _ Job.suspended) =
  let queued = ref false in
  fun () ->
    if not !mine then mine := not (Atomic.exchange s.claimed true);
    if !mine then begin
      queue_once task s.home queued;
      Suspended_fibers.remove s.home.suspended s.entry
    end

let resuming task s = resuming_if (ref false) task s

let rec end_suspended (s : _ Job.suspended) exn =
  match resuming (Job.bare (fun () -> discontinue s.continuation exn)) s with
  | step -> Interrupt.complete step
  | exception signal ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_suspended s exn;
      Printexc.raise_with_backtrace signal backtrace

let telling j (waiter : _ Job.waiter) =
  match waiter with
  | Callback f | Attendant { told = f; _ } -> f
  | Guest g -> fun () -> Job.tell j g
  | Witness -> fun () -> Job.witness j
  | Fiber s -> resuming (Job.bare (fun () -> Job.continue_with s.continuation j)) s
  | Joiner k ->
      let deque = Deque_memory.current () in
      if deque == Deque_memory.nowhere () then
        invalid_arg "Weft: internal error: a fork that ended outside its pool";
      queueing (Job.bare (fun () -> Job.continue_with k j)) (of_deque deque).parts.home

let rec tell_all left =
  match !left with
  | [] -> ()
  | step :: others ->
      step ();
      left := others;
      tell_all left

(* Eldest first. *)
let telling_all j waiters =
  match waiters with
  | [ waiter ] -> telling j waiter
  | waiters ->
      let left = ref (List.rev_map (telling j) waiters) in
      fun () -> tell_all left

let rec deliver_one j waiter =
  match telling j waiter with
  | step -> Interrupt.complete step
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      deliver_one j waiter;
      Printexc.raise_with_backtrace exn backtrace

let rec deliver j waiters =
  match waiters with
  | [] -> ()
  | waiters -> (
      match telling_all j waiters with
      | step -> Interrupt.complete step
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace)
