(* The protocol of {!Queued_lock}; a state is [free], the owner, or [queued]: then [holder] is [free] or
   the owner. *)
type t = {
  state : Context.owner Atomic.t;
  lock : Lock.t;
  line : Context.owner Queued_lock.line;
  mutable holder : Context.owner;
  mutable number : int; (* 0: none yet, see Trace_hooks *)
}

let free : Context.owner = Owner_id.of_block (ref 0)
let queued : Context.owner = Owner_id.of_block (ref 0)

let create () =
  { state = Atomic.make free; lock = Lock.create (); line = Wait_queue.create (); holder = free; number = 0 }

(* --- under the lock --- *)

let rec queue m =
  let s = Atomic.get m.state in
  if s != queued then begin
    m.holder <- s;
    if not (Atomic.compare_and_set m.state s queued) then queue m
  end

let rec serve m =
  match Wait_queue.first m.line with
  | None -> Atomic.set m.state m.holder
  | Some turn ->
      if m.holder == free then begin
        if Queued_lock.give turn then m.holder <- Queued_lock.about turn;
        serve m
      end

let holds m me = Atomic.get m.state == me || (Atomic.get m.state == queued && m.holder == me)

(* --- the slow paths --- *)

(* Another case of a select may have served it, perhaps a turn at this very mutex. *)
let enter (m, turn) what =
  let misuse =
    Lock.protect m.lock @@ fun () ->
    Queued_lock.is_open turn
    && (holds m (Queued_lock.about turn)
       || begin
            queue m;
            Wait_queue.add m.line turn;
            serve m;
            false
          end)
  in
  if misuse then invalid_arg (what ^ ": the caller holds the mutex already")

let withdraw (m, turn) =
  Lock.protect m.lock @@ fun () ->
  queue m;
  if Queued_lock.withdraw turn then m.holder <- free;
  serve m

let[@inline never] numbered m =
  Lock.protect m.lock (fun () -> if m.number = 0 then m.number <- Trace_hooks.number ());
  m.number

let about m = if !Trace_hooks.on then numbered m else 0

let[@inline never] wait ?timeout m me what =
  let cell = Waiter.create () in
  let mine = (m, Queued_lock.make cell () me) in
  enter mine what;
  Queued_lock.wait ?timeout ~what ~about:(about m) ~withdraw mine cell

let[@inline never] hand_over m =
  Lock.protect m.lock @@ fun () ->
  holds m (Context.owner ())
  && begin
       queue m;
       m.holder <- free;
       serve m;
       true
     end

(* --- the interface --- *)

let[@inline] lock_as ?timeout m what =
  Poll.pass_within ~what timeout;
  let me = Context.owner () in
  if not (Atomic.compare_and_set m.state free me) then wait ?timeout m me what

(* [false] if the caller does not hold it. *)
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

(* Read without the lock, [holder] may not be written yet although its waiter runs. *)
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
      (* The exception of [f] says more than that [f] has unlocked the mutex. *)
      ignore (release m);
      Printexc.raise_with_backtrace exn backtrace

module Private = struct
  type nonrec turn = t * Context.owner Queued_lock.t

  let is_mine = is_mine
  let turn m cell v = (m, Queued_lock.make cell v (Context.owner ()))
  let enqueue = enter
  let leave (m, turn) = Lock.protect m.lock (fun () -> Wait_queue.remove turn)
end
