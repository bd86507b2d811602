type kind = Reader | Writer of Context.owner

(* The protocol of {!Queued_lock}; a state is the number of readers, or [written], or [queued]: then it is in [active].

   [writer] is the writer, or [nobody]. It is not part of the state: it is written after the state when a free
   lock is locked, and before it when the lock is unlocked. So a writer may not yet see itself there while its
   turn is given; nobody else ever sees itself there. *)
type t = {
  state : int Atomic.t;
  lock : Lock.t;
  queue : kind Queued_lock.queue;
  mutable active : int;
  mutable writer : Context.owner;
  mutable about : Trace_hooks.about;
}

let written = -1
let queued = min_int
let nobody : Context.owner = Owner_id.of_block (ref 0)

let create () =
  {
    state = Atomic.make 0;
    lock = Lock.create ();
    queue = Wait_queue.create ();
    active = 0;
    writer = nobody;
    about = Trace_hooks.nothing;
  }

(* --- under the lock --- *)

let rec queue l =
  let s = Atomic.get l.state in
  if s <> queued then begin
    l.active <- s;
    if not (Atomic.compare_and_set l.state s queued) then queue l
  end

let rec serve l =
  match Wait_queue.first l.queue with
  | None -> Atomic.set l.state l.active
  | Some turn -> (
      match Queued_lock.about turn with
      | Reader when l.active >= 0 ->
          if Queued_lock.give turn then l.active <- l.active + 1;
          serve l
      | Writer owner when l.active = 0 ->
          if Queued_lock.give turn then begin
            l.active <- written;
            l.writer <- owner
          end;
          serve l
      | Reader | Writer _ -> ())

(* For a state that is [queued]; [false] if it is not held that way. *)
let release_read l =
  let held = l.active > 0 in
  if held then l.active <- l.active - 1;
  held

let release_write l owner =
  let held = l.active = written && l.writer == owner in
  if held then begin
    l.writer <- nobody;
    l.active <- 0
  end;
  held

(* --- the slow paths --- *)

let enter (l, turn) what =
  let enters () =
    l.writer != Context.owner ()
    && begin
         queue l;
         Wait_queue.add l.queue turn;
         serve l;
         true
       end
  in
  if not (Lock.protect l.lock enters) then
    invalid_arg (what ^ ": the caller holds the lock for writing already")

let release_one l = function Reader -> release_read l | Writer owner -> release_write l owner

let withdraw (l, turn) =
  Lock.protect l.lock @@ fun () ->
  queue l;
  if Queued_lock.withdraw turn then ignore (release_one l (Queued_lock.about turn) : bool);
  serve l

let[@inline never] numbered l =
  Lock.protect l.lock (fun () -> l.about <- Trace_hooks.numbered l.about);
  l.about

let about l = if !Trace_hooks.on then numbered l else l.about

let named name l =
  Lock.protect l.lock (fun () -> l.about <- Trace_hooks.named l.about name);
  l

let[@inline never] wait ?timeout l kind what =
  let waiter = Waiter.create () in
  let mine = (l, Queued_lock.make waiter () kind) in
  enter mine what;
  Queued_lock.wait ?timeout ~what ~about:(about l) ~withdraw mine waiter

let[@inline never] give_back l kind =
  Lock.protect l.lock @@ fun () ->
  queue l;
  let held = release_one l kind in
  serve l;
  held

let[@inline never] is_queued l = Lock.protect l.lock (fun () -> Atomic.get l.state = queued)

(* --- reading --- *)

let rec try_read l =
  let n = Atomic.get l.state in
  n >= 0 && (Atomic.compare_and_set l.state n (n + 1) || try_read l)

let rec try_read_lock l =
  let n = Atomic.get l.state in
  if n = queued then (not (is_queued l)) && try_read_lock l
  else n >= 0 && (Atomic.compare_and_set l.state n (n + 1) || try_read_lock l)

let read_lock_as ?timeout l what =
  Poll.checkpoint_within ~what timeout;
  if not (try_read l) then wait ?timeout l Reader what

let[@inline] try_read_unlock l =
  let n = Atomic.get l.state in
  n > 0 && Atomic.compare_and_set l.state n (n - 1)

let read_unlock_as l what =
  if not (try_read_unlock l || try_read_unlock l || give_back l Reader) then
    invalid_arg (what ^ ": nobody holds the lock for reading")

(* --- writing --- *)

let try_write l me =
  let free = Atomic.compare_and_set l.state 0 written in
  if free then l.writer <- me;
  free

let rec try_write_lock l =
  try_write l (Context.owner ())
  ||
  let s = Atomic.get l.state in
  (s = 0 || (s = queued && not (is_queued l))) && try_write_lock l

let write_lock_as ?timeout l what =
  Poll.checkpoint_within ~what timeout;
  let me = Context.owner () in
  if not (try_write l me) then wait ?timeout l (Writer me) what

let try_write_unlock l me =
  l.writer == me
  && begin
       l.writer <- nobody;
       let free = Atomic.compare_and_set l.state written 0 in
       if not free then l.writer <- me;
       free
     end

let write_unlock_as l what =
  let me = Context.owner () in
  if not (try_write_unlock l me || give_back l (Writer me)) then
    invalid_arg (what ^ ": the caller does not hold the lock for writing")

(* --- the interface --- *)

let read_lock ?timeout l = read_lock_as ?timeout l "Weft.Rwlock.read_lock"
let read_unlock l = read_unlock_as l "Weft.Rwlock.read_unlock"
let write_lock ?timeout l = write_lock_as ?timeout l "Weft.Rwlock.write_lock"
let write_unlock l = write_unlock_as l "Weft.Rwlock.write_unlock"

let protected lock unlock l what f =
  lock l what;
  match f () with
  | v ->
      unlock l what;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (* The exception of [f] says more than that [f] has unlocked the lock. *)
      (try unlock l what with Invalid_argument _ -> ());
      Printexc.raise_with_backtrace exn backtrace

let read l f = protected (fun l -> read_lock_as l) read_unlock_as l "Weft.Rwlock.read" f
let write l f = protected (fun l -> write_lock_as l) write_unlock_as l "Weft.Rwlock.write" f
