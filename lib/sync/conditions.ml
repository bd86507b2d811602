(* The line of {!Turns}, without a state: there is nothing to keep. What a turn is about is whether it was given by a signal: then
   a waiter who cannot use it signals again; a broadcast was for the others too. *)
type t = { lock : Lock.t; line : bool ref Turns.line; mutable number : int (* 0: none yet, see Probe *) }

let create () = { lock = Lock.create (); line = Line.create (); number = 0 }

(* Whether anybody was there to be woken. *)
let rec give_first c ~signal =
  match Line.first c.line with
  | None -> false
  | Some turn ->
      Turns.about turn := signal;
      Turns.give turn || give_first c ~signal

(* --- steps, see Turns.completely --- *)

let signalling c (_ : Turns.progress) = ignore (give_first c ~signal:true)
let rec broadcasting c (p : Turns.progress) = if give_first c ~signal:false then broadcasting c p

let leaving (c, turn) (p : Turns.progress) =
  if Turns.withdraw turn && !(Turns.about turn) then p.changed <- true;
  if p.changed then signalling c p

(* --- the interface --- *)

let[@inline never] numbered c =
  Lock.protect c.lock (fun () -> if c.number = 0 then c.number <- Probe.number ());
  c.number

let about c = if !Probe.on then numbered c else 0

(* Without the lock: whoever came before, in the order of happening, is seen in line. *)
let is_anybody_there c = not (Line.is_empty c.line)
let signal c = if is_anybody_there c then ignore (Turns.completely c.lock signalling c)
let broadcast c = if is_anybody_there c then ignore (Turns.completely c.lock broadcasting c)

let wait ?timeout c m =
  let what = "Weft.Condition.wait" in
  if not (Mutexes.Private.is_mine m) then invalid_arg (what ^ ": the caller does not hold the mutex");
  let cell = Cell.create () in
  let turn = Turns.make cell () (ref false) in
  let enter _ =
    Lock.protect c.lock (fun () -> Line.add c.line turn);
    Mutexes.unlock m
  and withdraw mine = ignore (Turns.completely c.lock leaving mine)
  (* Again and again, if a signal's exception or the end of the pool comes in between: whoever holds the mutex will unlock it. *)
  and lock_again () = if not (Mutexes.Private.is_mine m) then Context.shield (fun () -> Mutexes.lock m) in
  match Turns.wait ?timeout ~what ~about:(about c) ~enter ~withdraw (c, turn) cell with
  | () -> Interrupt.complete lock_again
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Interrupt.complete lock_again;
      Printexc.raise_with_backtrace exn backtrace
