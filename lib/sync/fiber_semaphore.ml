(* The protocol of {!Queued_lock}; a state is the number of units, or [queued]: then that is in [units]. *)
type t = {
  state : int Atomic.t;
  lock : Lock.t;
  queue : unit Queued_lock.queue;
  mutable units : int;
  mutable about : Trace_hooks.about;
}

let queued = -1

let of_units name n =
  if n < 0 then invalid_arg (Printf.sprintf "Weft.Semaphore.%s: %d units" name n);
  {
    state = Atomic.make n;
    lock = Lock.create ();
    queue = Wait_queue.create ();
    units = 0;
    about = Trace_hooks.nothing;
  }

let create n = of_units "create" n
let make n = of_units "make" n

(* --- under the lock --- *)

let rec queue s =
  let n = Atomic.get s.state in
  if n <> queued then begin
    s.units <- n;
    if not (Atomic.compare_and_set s.state n queued) then queue s
  end

let rec serve s =
  match Wait_queue.first s.queue with
  | None -> Atomic.set s.state s.units
  | Some turn ->
      if s.units > 0 then begin
        if Queued_lock.give turn then s.units <- s.units - 1;
        serve s
      end

(* --- the slow paths --- *)

let enter (s, turn) =
  Lock.protect s.lock @@ fun () ->
  queue s;
  Wait_queue.add s.queue turn;
  serve s

let withdraw (s, turn) =
  Lock.protect s.lock @@ fun () ->
  queue s;
  if Queued_lock.withdraw turn then s.units <- s.units + 1;
  serve s

let[@inline never] numbered s =
  Lock.protect s.lock (fun () -> s.about <- Trace_hooks.numbered s.about);
  s.about

let about s = if !Trace_hooks.on then numbered s else s.about

let named name s =
  Lock.protect s.lock (fun () -> s.about <- Trace_hooks.named s.about name);
  s

let[@inline never] wait ?timeout s what =
  let waiter = Waiter.create () in
  let mine = (s, Queued_lock.make waiter () ()) in
  enter mine;
  Queued_lock.wait ?timeout ~what ~about:(about s) ~withdraw mine waiter

let[@inline never] give_back s =
  Lock.protect s.lock @@ fun () ->
  queue s;
  let is_room = s.units < max_int in
  if is_room then s.units <- s.units + 1;
  serve s;
  is_room

(* --- the interface --- *)

let rec take_unit s =
  let n = Atomic.get s.state in
  n > 0 && (Atomic.compare_and_set s.state n (n - 1) || take_unit s)

let[@inline never] state_under_lock s = Lock.protect s.lock (fun () -> Atomic.get s.state)

let available s =
  let n = Atomic.get s.state in
  if n = queued then Int.max 0 (state_under_lock s) else n

let get_value = available

let rec try_acquire s =
  let n = Atomic.get s.state in
  if n = queued then state_under_lock s <> queued && try_acquire s
  else n > 0 && (Atomic.compare_and_set s.state n (n - 1) || try_acquire s)

let acquire_as ?timeout s what =
  Poll.checkpoint_within ~what timeout;
  if not (take_unit s) then wait ?timeout s what

let[@inline] put_unit s =
  let n = Atomic.get s.state in
  n >= 0 && n < max_int && Atomic.compare_and_set s.state n (n + 1)

let release_as s what =
  if not (put_unit s || put_unit s || give_back s) then invalid_arg (what ^ ": more than max_int units")

let acquire s = acquire_as s "Weft.Semaphore.acquire"
let acquire_timeout timeout s = acquire_as ~timeout s "Weft.Semaphore.acquire_timeout"
let release s = release_as s "Weft.Semaphore.release"

let protect s f =
  let what = "Weft.Semaphore.protect" in
  acquire_as s what;
  match f () with
  | v ->
      release_as s what;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      release_as s what;
      Printexc.raise_with_backtrace exn backtrace

module Private = struct
  type nonrec turn = t * unit Queued_lock.t

  let turn s waiter v = (s, Queued_lock.make waiter v ())
  let enqueue = enter

  let leave (s, turn) =
    Lock.protect s.lock @@ fun () ->
    queue s;
    Wait_queue.remove turn;
    serve s
end
