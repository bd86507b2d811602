(* The protocol: {e barging}, with hand-over to a waiter that has waited for long.

   There are two queues. In [queue] are those to whom the mutex will be handed over. In
   [parked] are those that are woken to try again.

   The word [state] is [free]; or the owner; or [queued]: then [holder] is the owner, and it unlocks with
   [lock] held. So the word is [queued] while anybody is in [queue].

   The word [attention] tells an unlock what to do besides. Only {!note} writes it, with [lock] held. It is

   - [calm]: nothing, nobody is parked;
   - [at_once]: wake the first of the parked;
   - a time, in nanoseconds: a waiter has been woken and has not tried yet. It is {e in flight}. An unlock
     after that time hands the mutex over to it.

   {v
   who                     does
   lock                    state: free -> owner; else spins for a moment; else parks
   unlock                  state: owner -> free; then reads attention: perhaps {!attend}
   unlock, if queued       with [lock] held: the first in the queue is the owner, else free and {!wake}
   a waiter that parks     with [lock] held: into [parked]; attention; then tries once more
   a waiter that is woken  with [lock] held: is no longer in flight; tries; else parks again, as the first
   a waiter that gives up  with [lock] held: leaves its place, and passes on the mutex or the wake-up
   v}

   {b No wake-up is lost.} While anybody is parked, and nobody is in flight, attention is [at_once]. A waiter
   that parks writes that and then tries the word; an unlock writes the word and then reads attention. These
   are sequentially consistent, so either the try succeeds, or the next unlock sees [at_once]. The waiter in
   flight holds up the others; so when its flight ends, by a lock, by parking or by giving up, attention is
   written again before the word is tried, or put back. If the word is free then, a waiter that gives up wakes
   the next.

   {b Nobody starves.} The next unlock moves a waiter that has waited for [patience] into [queue], even if it
   is in flight: from then on the word is [queued], so nobody comes in between, and the next to unlock hands
   the mutex over. During a hand-over nobody uses the mutex. So there is at most one hand-over in
   [patience]; the others of the parked are woken meanwhile, in order. Where a hand-over takes longer than
   that, one follows the other, and the order is that of arrival.

   {b Fair} mutexes park nobody: all wait in the queue from the beginning. So do turns of a select, which must
   own the mutex when they win. *)

type waiter = {
  me : Context.owner;
  since : int; (* when it began to wait: after it has spun *)
  mutable wait : unit Waiter.t; (* a new one for each wait *)
  mutable turn : Context.owner Queued_lock.t option; (* once in [queue] *)
}

type t = {
  state : Context.owner Atomic.t;
  attention : int Atomic.t;
  fair : bool;
  lock : Lock.t;
  queue : Context.owner Queued_lock.queue;
  parked : waiter Wait_queue.t;
  mutable holder : Context.owner;
  mutable in_flight : waiter option;
  mutable next_turn : int; (* not before this time is anybody moved into [queue] *)
  mutable about : Trace_hooks.about;
}

let free : Context.owner = Owner_id.of_block (ref 0)
let queued : Context.owner = Owner_id.of_block (ref 0)
let calm = max_int
let at_once = min_int

(* In nanoseconds. *)
let patience = 500_000
let is_over time = Timer_thread.now () >= time

let make ~fair =
  {
    state = Atomic.make free;
    attention = Atomic.make calm;
    fair;
    lock = Lock.create ();
    queue = Wait_queue.create ();
    parked = Wait_queue.create ();
    holder = free;
    in_flight = None;
    next_turn = at_once;
    about = Trace_hooks.nothing;
  }

let create () = make ~fair:false
let create_fair () = make ~fair:true

(* --- under the lock --- *)

let rec queue m =
  let s = Atomic.get m.state in
  if s != queued then begin
    m.holder <- s;
    if not (Atomic.compare_and_set m.state s queued) then queue m
  end

let rec serve m =
  match Wait_queue.first m.queue with
  | None -> Atomic.set m.state m.holder
  | Some turn ->
      if m.holder == free then begin
        if Queued_lock.give turn then m.holder <- Queued_lock.about turn;
        serve m
      end

let holds m me = Atomic.get m.state == me || (Atomic.get m.state == queued && m.holder == me)
let turn_at m w = Int.max (w.since + patience) m.next_turn

let note m =
  let next =
    match m.in_flight with
    | Some w -> turn_at m w
    | None -> if Wait_queue.is_empty m.parked then calm else at_once
  in
  if Atomic.get m.attention <> next then Atomic.set m.attention next

let enqueue m w =
  let turn = Queued_lock.make w.wait () w.me in
  w.turn <- Some turn;
  Wait_queue.add m.queue turn

(* Moves the first of those who wait into the queue, if it is time. *)
let promote m =
  match (m.in_flight, Wait_queue.first m.parked) with
  | Some w, _ when is_over (turn_at m w) ->
      w.wait <- Waiter.create ();
      enqueue m w;
      m.in_flight <- None;
      m.next_turn <- Timer_thread.now () + patience
  | None, Some node when is_over (turn_at m (Wait_queue.contents node)) ->
      enqueue m (Wait_queue.contents node);
      Wait_queue.remove node;
      m.next_turn <- Timer_thread.now () + patience
  | _ -> ()

let rec wake m =
  match Wait_queue.first m.parked with
  | Some node when m.in_flight = None ->
      let w = Wait_queue.contents node in
      let flight = Some w in
      Wait_queue.remove node;
      if Waiter.wake w.wait () then m.in_flight <- flight else wake m
  | _ -> ()

(* The word is [queued], and is put back if nobody is in [queue]. Attention comes first: the owner may unlock
   as soon as the word is put back. *)
let proceed m =
  note m;
  serve m;
  if m.holder == free then begin
    wake m;
    note m
  end

let attend m =
  promote m;
  if Wait_queue.is_empty m.queue then begin
    wake m;
    note m
  end
  else begin
    queue m;
    proceed m
  end

let try_free m me = Atomic.compare_and_set m.state free me

(* Whether the caller owns the mutex. *)
let park m w node add =
  add m.parked node;
  note m;
  try_free m w.me
  && begin
       Wait_queue.remove node;
       note m;
       true
     end

(* --- the slow paths --- *)

let already what =
  invalid_arg (what ^ ": the caller holds the mutex already, and would wait for itself; unlock it first")

(* Without the lock: it may be another one by now. *)
let[@inline never] holder m =
  let s = Atomic.get m.state in
  let owner = if s == queued then m.holder else s in
  if owner == free || owner == queued then None else Some owner

(* Whether the caller owns the mutex. The mutex's first waiter adds to [about] how a dump finds the holder. *)
let enter m w node what =
  Lock.protect m.lock @@ fun () ->
  if holds m w.me then already what;
  if m.about.holder == Trace_hooks.nothing.holder then
    m.about <- { m.about with holder = (fun () -> holder m) };
  if m.fair then begin
    queue m;
    enqueue m w;
    proceed m;
    holds m w.me
  end
  else park m w node Wait_queue.add

(* When its waiter has been woken; likewise. Somebody else may have moved it into the queue meanwhile. *)
let try_again m w node =
  Lock.protect m.lock @@ fun () ->
  holds m w.me
  || w.turn = None
     && begin
          m.in_flight <- None;
          w.wait <- Waiter.create ();
          park m w node Wait_queue.add_first
        end

let withdraw m w node =
  Lock.protect m.lock @@ fun () ->
  queue m;
  Wait_queue.remove node;
  Option.iter (fun turn -> ignore (Queued_lock.withdraw turn : bool)) w.turn;
  (match m.in_flight with Some v when v == w -> m.in_flight <- None | _ -> ());
  if m.holder == w.me then m.holder <- free;
  proceed m

let about m body =
  if not !Trace_hooks.on then m.about
  else begin
    Lock.protect m.lock (fun () -> m.about <- Trace_hooks.numbered m.about);
    { m.about with place = Closure.place body }
  end

let named name m =
  Lock.protect m.lock (fun () -> m.about <- Trace_hooks.named m.about name);
  m

(* The time-out counts from the beginning. *)
let rec wait_until_mine ?timeout m w node what body =
  let left = Option.map (fun t -> t -. Timers.seconds (Timer_thread.now () - w.since)) timeout in
  Waiter.await ?timeout:left ~what ~about:(about m body) ~leave:ignore w.wait;
  if not (try_again m w node) then wait_until_mine ?timeout m w node what body

let[@inline never] wait ?timeout m me what body =
  let w = { me; since = Timer_thread.now (); wait = Waiter.create (); turn = None } in
  let node = Wait_queue.node w in
  if not (enter m w node what) then (
    try wait_until_mine ?timeout m w node what body
    with exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      withdraw m w node;
      Printexc.raise_with_backtrace exn backtrace)

(* Some 2 us: about what it costs to suspend and to be resumed. *)
let spins = 20
let spin_ticks = 100

let rec spin m me rounds =
  rounds > 0
  &&
  let s = Atomic.get m.state in
  if s == free then try_free m me || spin m me (rounds - 1)
  else
    s != queued && s != me
    && Atomic.get m.attention <> at_once
    && Context.is_running s
    && begin
         Tsc.pause spin_ticks;
         spin m me (rounds - 1)
       end

let[@inline never] lock_taken_for ?timeout m me what body =
  if m.fair || not (spin m me spins) then wait ?timeout m me what body

let[@inline never] lock_taken ?timeout m me what = lock_taken_for ?timeout m me what ignore

let[@inline never] hand_over m me =
  Lock.protect m.lock @@ fun () ->
  holds m me
  && begin
       queue m;
       promote m;
       m.holder <- free;
       proceed m;
       true
     end

let[@inline never] attend_if_time m =
  let time = Atomic.get m.attention in
  if time = at_once || is_over time then Lock.protect m.lock (fun () -> attend m)

(* --- the interface --- *)

let[@inline] lock_as ?timeout m what =
  Poll.checkpoint_within ~what timeout;
  let me = Context.owner () in
  if not (Atomic.compare_and_set m.state free me) then lock_taken ?timeout m me what

(* [false] if the caller does not hold it. If the stack is full when the mutex is free already, it is locked
   again, or its next owner attends. *)
let[@inline] release m =
  let me = Context.owner () in
  if Atomic.compare_and_set m.state me free then begin
    if Atomic.get m.attention <> calm then begin
      try attend_if_time m with Stack_overflow -> if try_free m me then raise Stack_overflow
    end;
    true
  end
  else hand_over m me

let[@inline] unlock_as m what =
  if not (release m) then invalid_arg (what ^ ": the caller does not hold the mutex")

let lock m = lock_as m "Weft.Mutex.lock"
let lock_timeout seconds m = lock_as ~timeout:seconds m "Weft.Mutex.lock_timeout"
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
  Poll.checkpoint_within ~what None;
  let me = Context.owner () in
  if not (Atomic.compare_and_set m.state free me) then lock_taken_for m me what f;
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
  let lock_as = lock_as
  let unlock_as = unlock_as
  let turn m waiter v = (m, Queued_lock.make waiter v (Context.owner ()))

  (* Another case of a select may have served it, perhaps a turn at this very mutex. *)
  let enqueue (m, turn) what =
    Lock.protect m.lock @@ fun () ->
    if Queued_lock.is_open turn then begin
      if holds m (Queued_lock.about turn) then already what;
      queue m;
      Wait_queue.add m.queue turn;
      proceed m
    end

  let leave (m, turn) = Lock.protect m.lock (fun () -> Wait_queue.remove turn)
end
