(* The queue of {!Queued_lock}, without a state: there is nothing to keep. A turn says whether a signal
   gave it. If so, a waiter that cannot use it signals again; a broadcast went to the others, too. *)
type t = { lock : Lock.t; queue : bool ref Queued_lock.queue; mutable about : Trace_hooks.about }

let create () = { lock = Lock.create (); queue = Wait_queue.create (); about = Trace_hooks.nothing }

(* Whether anybody was there to be woken. *)
let rec give_first c ~signal =
  match Wait_queue.first c.queue with
  | None -> false
  | Some turn ->
      Queued_lock.about turn := signal;
      Queued_lock.give turn || give_first c ~signal

let signal_one c = ignore (give_first c ~signal:true : bool)
let rec wake_all c = if give_first c ~signal:false then wake_all c

let withdraw (c, turn) =
  Lock.protect c.lock @@ fun () -> if Queued_lock.withdraw turn && !(Queued_lock.about turn) then signal_one c

(* --- the interface --- *)

let[@inline never] numbered c =
  Lock.protect c.lock (fun () -> c.about <- Trace_hooks.numbered c.about);
  c.about

let about c = if !Trace_hooks.on then numbered c else c.about

let named name c =
  Lock.protect c.lock (fun () -> c.about <- Trace_hooks.named c.about name);
  c

(* Without the lock: a waiter that came before, by happens-before, is seen in the queue. *)
let is_anybody_there c = not (Wait_queue.is_empty c.queue)
let signal c = if is_anybody_there c then Lock.protect c.lock (fun () -> signal_one c)
let broadcast c = if is_anybody_there c then Lock.protect c.lock (fun () -> wake_all c)

(* Tries again if the end of the pool or a handler's exception comes in between, since the mutex's holder
   will unlock it. Not for ever: in a deadlock it does not. *)
let rec lock_again m tries =
  if not (Fiber_mutex.Private.is_mine m) then (
    try Context.shield (fun () -> Fiber_mutex.lock m)
    with exn when tries > 0 ->
      let backtrace = Printexc.get_raw_backtrace () in
      lock_again m (tries - 1);
      Printexc.raise_with_backtrace exn backtrace)

let lock_again m = lock_again m 1_000

let check_holder m what =
  if not (Fiber_mutex.Private.is_mine m) then invalid_arg (what ^ ": the caller does not hold the mutex")

let wait_as ?timeout ~what c m =
  check_holder m what;
  Option.iter (Timers.check_seconds ~who:what) timeout;
  let waiter = Waiter.create () in
  let turn = Queued_lock.make waiter () (ref false) in
  Lock.protect c.lock (fun () -> Wait_queue.add c.queue turn);
  Fiber_mutex.unlock m;
  match Queued_lock.wait ?timeout ~what ~about:(about c) ~withdraw (c, turn) waiter with
  | () -> lock_again m
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      lock_again m;
      Printexc.raise_with_backtrace exn backtrace

let wait c m = wait_as ~what:"Weft.Condition.wait" c m
let wait_timeout seconds c m = wait_as ~timeout:seconds ~what:"Weft.Condition.wait_timeout" c m

module Private = struct
  type nonrec turn = t * bool ref Queued_lock.t

  let turn c waiter win =
    let signal = ref false in
    let pass_on () = Lock.protect c.lock (fun () -> if !signal then signal_one c) in
    (c, Queued_lock.make waiter (win ~pass_on) signal)

  let enqueue (c, turn) = Lock.protect c.lock (fun () -> Wait_queue.add c.queue turn)
  let leave (c, turn) = Lock.protect c.lock (fun () -> Wait_queue.remove turn)
  let check_holder = check_holder
  let lock_again = lock_again
  let wait_as = wait_as
end
