open Pool_state

(* Whether the pool needs somebody who works or waits for timers. *)
let is_wanted p = Worker.is_work p.parts || not (Timers.is_quiet p.parts.timers)
let worker p = p.parts.workers.(0)
let is_deserted p = Respawn.is_deserted p.parts.sleepers
let domain_name p = Printf.sprintf "pool %S" p.name
let still_there = List.filter (fun d -> not (Runtime_threads.has_ended d))
let is_open_still p = p.state = Open && not (Atomic.get p.stop)

let tell_of_death p exn =
  Say.line
    "a worker of pool %S was ended by an exception in Weft's own code (%s); another one takes its place, but \
     a fiber may be lost, and then what waits for it never ends. The documentation of Weft.run says what \
     must not raise"
    p.name (Printexc.to_string exn)

(* An exception may cut off [finally], too: then it is called again with the signals masked. *)
let despite_death p ~finally f =
  try
    f ();
    finally ()
  with exn ->
    Domain_start.mask_for_good ();
    tell_of_death p exn;
    finally ()

(* A worker that works for long gets the pool's minor heap. The thread in the slot has it until it leaves. *)
let size_minor_heap p (w : Worker.t) =
  if w.index > 0 then Option.iter Minor_heap.use p.minor_heap
  else if Option.is_none p.slot_hold then p.slot_hold <- Option.map Minor_heap.hold p.minor_heap

let release_minor_heap p =
  Option.iter Minor_heap.release p.slot_hold;
  p.slot_hold <- None

let take p ~admitted =
  Lock.protect p.lock (fun () ->
      admitted ();
      let free = not p.slot_taken in
      if free then p.slot_taken <- true;
      free)

(* Nanoseconds. To enlarge the minor heap and to make it smaller again takes some tenths of a millisecond.
   The caller, which may leave after its job, gets it at a poll. *)
let minor_heap_after = 10_000_000

(* Takes the slot if it is free, and works there; [false] if it is taken. [admitted ()] may raise to
   refuse. *)
let rec try_work ?first ?(admitted = ignore) p ~until =
  let taken = take p ~admitted in
  if taken then Fun.protect ~finally:(fun () -> leave p) (fun () -> work ?first p ~until);
  taken

and work ?first p ~until =
  let w = worker p in
  w.eldest_wait <- 0;
  w.minor_heap_at <-
    (if p.minor_heap_asked || Option.is_none p.minor_heap then max_int
     else Timer_thread.now () + minor_heap_after);
  Fun.protect
    ~finally:(fun () ->
      release_minor_heap p;
      w.started <- Job.nil)
    (fun () ->
      Worker_thread.work_as p w (fun () ->
          Option.iter (Worker_loop.execute w) first;
          Worker_loop.work w ~until))

(* Under the lock. *)
and free p =
  p.slot_taken <- false;
  List.iter Parker.unpark p.closers

and leave p =
  Lock.protect p.lock (fun () -> free p);
  ensure_somebody p

(* Somebody must take what lies in the queues. Called after every submission from outside, by signal
   handlers too, and by a thread that leaves the slot. When the program ends, only callers work. *)
and ensure_somebody p =
  (* There may be no work, but timers: then somebody has to wait for the alarm. *)
  if has_domains p && is_deserted p && is_wanted p then Sleep.wake_one p.parts.sleepers ignore;
  if p.waiting <> [] || (not (has_domains p)) || is_deserted p then Lock.do_soon p.lock (offer_slot p)

(* Under the lock. *)
and offer_slot p () =
  if not p.slot_taken then begin
    match p.waiting with
    | parker :: _ -> Parker.unpark parker
    | [] ->
        (* The pool has no domains of its own, or none can be started again. *)
        if is_deserted p && p.state <> Ended && (not (Atomic.get p.stop)) && is_wanted p then begin
          p.slot_taken <- true;
          p.calls <- call_fallback p :: p.calls
        end
  end;
  answer_calls p

(* The fallback worker leaves the slot when there is neither work nor a timer; [until] is asked before each
   wait. Then this thread rests, a caller finds the slot free, and a submission calls this thread back. *)
and call_fallback p =
  let until () = Atomic.get p.stop || not (is_wanted p) in
  let give_up exn =
    p.slot_taken <- false;
    Say.line "pool %S has nobody to run its work: neither a domain nor a thread could be started (%s)" p.name
      (Printexc.to_string exn)
  in
  { place = worker p; work = (fun () -> work p ~until); leave = (fun () -> free p); give_up }

(* Under the lock. *)
and answer_calls p =
  match (p.calls, p.resting) with
  | [], _ -> ()
  | call :: others, [] ->
      start_fallback p call ~others;
      answer_calls p
  | call :: calls, r :: others ->
      p.resting <- others;
      r.called <- Some call;
      p.calls <- calls;
      Parker.unpark r.parker;
      answer_calls p

and be_fallback p r = Option.iter (answer p r) r.called

and answer p r call =
  let leave () =
    Lock.protect p.lock (fun () ->
        if Option.is_some r.called then call.leave ();
        r.called <- None);
    ensure_somebody p
  in
  despite_death p call.work ~finally:leave;
  let stop () =
    Lock.protect p.lock (fun () ->
        p.resting <- List.filter (fun other -> other != r) p.resting;
        if Option.is_none r.called then call.place.retired_at <- Timer_thread.now ())
  in
  despite_death p ~finally:stop (fun () ->
      let limits =
        Lock.protect p.lock (fun () ->
            if is_open_still p then p.resting <- r :: p.resting;
            call.place.keep_alive)
      in
      rest p r ~keep_alive:limits.least);
  (* It is not in the list of those that rest, so nobody can call it any more. *)
  be_fallback p r

(* The thread that closes the pool or ends the program unparks it. *)
and rest p r ~keep_alive =
  if is_open_still p && Option.is_none r.called then
    match Parker.park_for r.parker keep_alive with
    | Timed_out -> ()
    | Token | Interrupted -> rest p r ~keep_alive

(* Under the lock. *)
and start_fallback p call ~others =
  let r = { parker = Parker.create ~interruptible:false; called = Some call } in
  let main () =
    let stop_hooks = Worker_hooks.start () in
    Fun.protect ~finally:stop_hooks (fun () -> be_fallback p r)
  in
  Worker_thread.adapt_keep_alive call.place ~respawned:true;
  Domain_start.with_signals_masked @@ fun _ ->
  let d = Runtime_threads.domain (domain_name p) and before = p.fallbacks in
  p.fallbacks <- d :: still_there before;
  (try
     Domain_start.start_apart ?minor_heap:p.minor_heap
       ~no_domain:(fun () -> p.fallbacks <- before)
       d ~masked:p.masked main
   with exn -> call.give_up exn);
  p.calls <- others

(* --- submitting --- *)

let hurry p = if Deque_memory.current () == Deque_memory.nowhere () then Worker.hurry p.parts

let find_somebody ?(more = false) p =
  Sleep.wake_one p.parts.sleepers ignore;
  if more then Sleep.wake_another p.parts.sleepers;
  ensure_somebody p;
  hurry p

let queue p task =
  Atomic.incr p.injections;
  Worker.inject p.parts task

let check_open p who =
  if p.state <> Open then
    misuse who "pool %S is closed and takes no more tasks; make another one, or close it later" p.name
