(* The line of {!Queued_lock}, without a state: there is nothing to keep. What a turn is about is whether it was given by a signal: then
   a waiter who cannot use it signals again; a broadcast was for the others too. *)
type t = {
  lock : Lock.t;
  line : bool ref Queued_lock.line;
  mutable number : int; (* 0: none yet, see Trace_hooks *)
}

let create () = { lock = Lock.create (); line = Wait_queue.create (); number = 0 }

(* Whether anybody was there to be woken. *)
let rec give_first c ~signal =
  match Wait_queue.first c.line with
  | None -> false
  | Some turn ->
      Queued_lock.about turn := signal;
      Queued_lock.give turn || give_first c ~signal

(* --- steps, see Queued_lock.completely --- *)

let signalling c (_ : Queued_lock.progress) = ignore (give_first c ~signal:true)
let rec broadcasting c (p : Queued_lock.progress) = if give_first c ~signal:false then broadcasting c p

let leaving (c, turn) (p : Queued_lock.progress) =
  if Queued_lock.withdraw turn && !(Queued_lock.about turn) then p.changed <- true;
  if p.changed then signalling c p

(* --- the interface --- *)

let[@inline never] numbered c =
  Lock.protect c.lock (fun () -> if c.number = 0 then c.number <- Trace_hooks.number ());
  c.number

let about c = if !Trace_hooks.on then numbered c else 0

(* Without the lock: whoever came before, in the order of happening, is seen in line. *)
let is_anybody_there c = not (Wait_queue.is_empty c.line)
let signal c = if is_anybody_there c then ignore (Queued_lock.completely c.lock signalling c)
let broadcast c = if is_anybody_there c then ignore (Queued_lock.completely c.lock broadcasting c)

let wait ?timeout c m =
  let what = "Weft.Condition.wait" in
  if not (Fiber_mutex.Private.is_mine m) then invalid_arg (what ^ ": the caller does not hold the mutex");
  let cell = Waiter.create () in
  let turn = Queued_lock.make cell () (ref false) in
  let enter _ =
    Lock.protect c.lock (fun () -> Wait_queue.add c.line turn);
    Fiber_mutex.unlock m
  and withdraw mine = ignore (Queued_lock.completely c.lock leaving mine)
  (* Again and again, if a signal's exception or the end of the pool comes in between: whoever holds the mutex will unlock it. *)
  and lock_again () =
    if not (Fiber_mutex.Private.is_mine m) then Context.shield (fun () -> Fiber_mutex.lock m)
  in
  match Queued_lock.wait ?timeout ~what ~about:(about c) ~enter ~withdraw (c, turn) cell with
  | () -> Interrupt.complete lock_again
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete lock_again;
      Printexc.raise_with_backtrace exn backtrace
