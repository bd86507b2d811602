(* The machine of {!Turns}; a state is [free], the owner, or [queued]: then [holder] is [free] or the owner. *)
type t = {
  state : Context.owner Atomic.t;
  lock : Lock.t;
  line : Context.owner Turns.line;
  mutable holder : Context.owner;
  mutable number : int; (* 0: none yet, see Probe *)
}

let free : Context.owner = Identity.of_block (ref 0)
let queued : Context.owner = Identity.of_block (ref 0)

let create () =
  { state = Atomic.make free; lock = Lock.create (); line = Line.create (); holder = free; number = 0 }

(* --- under the lock --- *)

let rec queue m =
  let s = Atomic.get m.state in
  if s != queued then begin
    m.holder <- s;
    if not (Atomic.compare_and_set m.state s queued) then queue m
  end

let rec serve m =
  match Line.first m.line with
  | None ->
      (* Not [queued]: a step that had nothing to do, or was done before a signal; [holder] is not in use. *)
      if Atomic.get m.state == queued then Atomic.set m.state m.holder
  | Some turn ->
      if m.holder == free then begin
        if Turns.give turn then m.holder <- Turns.about turn;
        serve m
      end

let holds m me = Atomic.get m.state == me || (Atomic.get m.state == queued && m.holder == me)

(* --- steps, see Turns.completely --- *)

let entering (m, turn) (p : Turns.progress) =
  if Turns.is_new turn then
    if holds m (Turns.about turn) then p.misuse <- true
    else begin
      queue m;
      Line.add m.line turn
    end;
  if not p.misuse then serve m

let leaving (m, turn) (_ : Turns.progress) =
  queue m;
  if Turns.withdraw turn then m.holder <- free;
  serve m

let unlocking m (p : Turns.progress) =
  if not p.changed then begin
    p.misuse <- not (holds m (Context.owner ()));
    if not p.misuse then begin
      queue m;
      m.holder <- free;
      p.changed <- true
    end
  end;
  if p.changed then serve m

(* --- the slow paths --- *)

let enter ((m, _) as mine) what =
  let p = Turns.completely m.lock entering mine in
  if p.misuse then invalid_arg (what ^ ": the caller holds the mutex already")

let withdraw ((m, _) as mine) = ignore (Turns.completely m.lock leaving mine)

let[@inline never] numbered m =
  Lock.protect m.lock (fun () -> if m.number = 0 then m.number <- Probe.number ());
  m.number

let about m = if !Probe.on then numbered m else 0

let[@inline never] wait ?timeout m me what =
  let cell = Cell.create () in
  Turns.wait ?timeout ~what ~about:(about m)
    ~enter:(fun mine -> enter mine what)
    ~withdraw
    (m, Turns.make cell () me)
    cell

let[@inline never] hand_over m = not (Turns.completely m.lock unlocking m).misuse

(* --- the interface --- *)

let[@inline] lock_as ?timeout m what =
  Context.pass timeout;
  let me = Context.owner () in
  if not (Atomic.compare_and_set m.state free me) then wait ?timeout m me what

(* No safepoint before the mutex is given up; [false] if it is not the caller's. *)
let[@inline] release m = Atomic.compare_and_set m.state (Context.owner ()) free || hand_over m

let[@inline] unlock_as m what =
  if not (release m) then invalid_arg (what ^ ": the caller does not hold the mutex")

let lock ?timeout m = lock_as ?timeout m "Weft.Mutex.lock"
let unlock m = unlock_as m "Weft.Mutex.unlock"
let[@inline never] is_queued m = Lock.protect m.lock (fun () -> Atomic.get m.state == queued)

let rec try_lock m =
  Atomic.compare_and_set m.state free (Context.owner ())
  ||
  let s = Atomic.get m.state in
  (s == free || (s == queued && not (is_queued m))) && try_lock m

(* Without the lock, [holder] may not be written yet although its waiter runs. *)
let is_mine m =
  let me = Context.owner () and s = Atomic.get m.state in
  s == me || (s == queued && Lock.protect m.lock (fun () -> holds m me))

let protect m f =
  let what = "Weft.Mutex.protect" in
  lock_as m what;
  match f () with
  | v ->
      unlock_as m what;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* What [f] raised says more than that it has unlocked the mutex. *)
      ignore (release m);
      Printexc.raise_with_backtrace exn backtrace

module Private = struct
  type nonrec turn = t * Context.owner Turns.t

  let is_mine = is_mine
  let turn m cell v = (m, Turns.make cell v (Context.owner ()))
  let enqueue = enter
  let leave (m, turn) = Lock.protect m.lock (fun () -> Line.remove turn)
end
