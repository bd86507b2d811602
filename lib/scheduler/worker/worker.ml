include Types.Worker

(* --- the table of all workers, by the number stored in their deques --- *)

let table : t option array ref = ref (Array.make 64 None)
let table_lock = Mutex.create ()

(* So many rounds take ten or twenty microseconds on an idle pool. After a search that found nothing, the
   worker halves its next search, until a search finds something, or a sleep was so short that a search would
   have spared it. Where jobs come one by one, with pauses, long searches would cost more than the jobs. *)
let search_rounds = 100
let fewest_rounds = min 8 search_rounds
let short_sleep = 50_000

let make parts ~index ~wake =
  Mutex.protect table_lock @@ fun () ->
  let rec free i = if i = Array.length !table || !table.(i) = None then i else free (i + 1) in
  let id = free 0 in
  if id = Array.length !table then table := Array.append !table (Array.make id None);
  let w =
    Multicore_magic.copy_as_padded
      {
        index;
        deque = Deque.create ~id ~wake;
        parts;
        sleeper = Sleepers.sleeper ~interruptible:(index = 0);
        thread = -1;
        clock = Thread_clock.none;
        retired_at = 0;
        keep_alive = Idle_period.none;
        closing = None;
        nested = 0;
        random = (id + 1) * 0x9E3779B97F4A7C1 land max_int;
        runs_timers = false;
        minor_heap_at = max_int;
        rounds = search_rounds;
        slept_at = 0;
        eldest = -1;
        eldest_since = 0;
        eldest_wait = 0;
        handed_at = 0;
        started = Job.nil;
        started_at = 0;
        preempted = -1;
        deferral = Deferral.make ();
        backoff = Steal_backoff.make ();
        questions = Questions.make ();
        turns = Thread_turns.make ();
        holds_back = false;
        tick = 0;
        origin = Trace_hooks.own;
        jobs = 0;
        suspensions = 0;
        taken = 0;
      }
  in
  Timer_thread.watch parts.alarm ~deque:w.deque ~parker:w.sleeper.parker;
  !table.(id) <- Some w;
  w

let release w =
  Mutex.protect table_lock @@ fun () ->
  !table.(Deque_memory.id w.deque) <- None;
  Deque_memory.free w.deque

(* Read without the lock: a thread asks only for workers that stay while it asks, and an old table still
   holds those. *)
let of_deque deque =
  let id = Deque_memory.id deque in
  if id < 0 then
    invalid_arg
      "Weft: a computation that an effect handler has captured in a pool goes on outside of all pools, and \
       has come to an operation that needs one: continue it in a pool"
  else
    match !table.(id) with
    | Some w -> w
    | None -> invalid_arg "Weft: internal error: a deque without a worker"

let current () =
  let deque = Deque_memory.current () in
  if deque == Deque_memory.nowhere () then None else Some (of_deque deque)

let attach w =
  Deque_memory.adopt w.deque;
  Spawn_context.set_here w.deque Spawn_context.nobody;
  Deque_memory.set_current w.deque

let detach w =
  Deque_memory.set_current (Deque_memory.nowhere ());
  Deque_memory.abandon w.deque

(* --- queues --- *)

let[@inline never] is_put_off_yet w =
  Deferral.is_put_off w.deferral ~top:(Deque_memory.top w.deque) ~now:(Tsc.now ())

(* A deferred job was pushed onto an empty deque. What lies above it is not deferred, and was announced. *)
let[@inline] is_put_off w = Deque.size w.deque = 1 && Deque.is_deferred w.deque && is_put_off_yet w

let some parts in_deque =
  (not (Injector.is_empty parts.injector))
  || (not (Injector.is_empty parts.background))
  || Array.exists in_deque parts.workers || Array.exists in_deque parts.extras

let is_work parts = some parts (fun w -> Deque.size w.deque > 0)
let is_work_to_take parts = some parts (fun w -> Deque.size w.deque > 0 && not (is_put_off w))

let is_deferred parts =
  let has_deferred w = Deque.size w.deque > 0 && Deque.is_deferred w.deque in
  Array.exists has_deferred parts.workers || Array.exists has_deferred parts.extras

let announce_deferred w = Respawn.alarm_needed w.parts.sleepers
let is_idle parts = Sleep.all_listed parts.sleepers ~and_:(fun () -> not (is_work parts))

(* Nanoseconds. *)
let hurry_after = 1_000_000
let background_after = 4_000_000
let poll_after parts time = Timer_thread.set parts.alarm (Timer_thread.now () + time)
let poll_soon parts = poll_after parts hurry_after
let poll_for_background parts = poll_after parts background_after

let hurry parts =
  if Sleep.nobody_comes parts.sleepers && not (Injector.is_empty parts.injector) then poll_soon parts

let[@inline never] wake deque =
  let w = of_deque deque in
  let counts = w.sleeper.counts in
  let before = counts.wakes in
  Sleep.wake_one w.parts.sleepers (fun () -> counts.wakes <- counts.wakes + 1);
  if !Trace_hooks.on && counts.wakes <> before then !Trace_hooks.listener.wakes ()

let inject parts (Job.T j as task) =
  (if Job.has_given_way j then Injector.push_yielded else Injector.push) parts.injector task

let leave_to_all w task =
  w.taken <- w.taken - 1;
  inject w.parts task

let push_only w task =
  if Deque.is_full w.deque then Deque.make_room w.deque;
  Deque.push w.deque task

let push w task =
  push_only w task;
  if Deque_memory.wake w.deque <> 0 then wake w.deque

let put_back task (home : Job.home) =
  home.queue task;
  home.wake ()

let is_here (home : Job.home) deque = deque != Deque_memory.nowhere () && (of_deque deque).parts.home == home

let wake_up (home : Job.home) =
  let deque = Deque_memory.current () in
  if not (is_here home deque) then home.wake () else if Deque_memory.wake deque <> 0 then wake deque

(* Jobs. A preempted worker seldom looks through such a deque: see Hand_over. *)
let long = 1_000

let resume task (home : Job.home) =
  let deque = Deque_memory.current () in
  if not (is_here home deque) then put_back task home
  else begin
    let w = of_deque deque in
    if w.runs_timers || Deque.size w.deque > long then home.queue task else push_only w task;
    if Deque_memory.wake deque <> 0 then wake deque
  end

let run_due_timers w =
  w.runs_timers <- true;
  Fun.protect ~finally:(fun () -> w.runs_timers <- false) (fun () -> Timers.run_due w.parts.timers);
  w.parts.look ()

(* The next tick is a multiple of 64; or 16 modulo 256, if the background is to be looked at before. *)
let look_at_injector w = if w.tick land 255 <> 15 then w.tick <- w.tick lor 63

(* The next tick is 16 modulo 256. The tick only grows. *)
let look_at_background w = w.tick <- (w.tick lor 255) + 16
let is_turn_of_background w = w.tick land 192 = 192

(* The next tick is 32 modulo 64. *)
let look_at_eldest w = w.tick <- w.tick land lnot 63 lor 31
let hold_back w = w.holds_back <- true

(* --- telling --- *)

let number w = Deque_memory.id w.deque

let tell_of_itself w told =
  told ~worker:(number w) ~index:w.index ~pool:w.parts.home.name ~forks:(Deque_memory.forks w.deque)

let[@inline never] tell_again w = tell_of_itself w !Trace_hooks.listener.seen

(* A program may be traced after it has run for long: so workers tell now and then who they are. *)
let jobs_between = 256
let sleeps_between = 16

let[@inline never] tell_of_job w ~resumed =
  if w.jobs mod jobs_between = 0 then tell_again w;
  !Trace_hooks.listener.runs ~worker:(number w) ~from:w.origin ~resumed

let tell_of_return w = !Trace_hooks.listener.runs ~worker:(number w) ~from:Trace_hooks.own ~resumed:true
