type t = {
  alarm : Timer_thread.t;
  throttle : Worker_throttle.t;
  readings : Worker_throttle.reading array;
  spells : int array; (* of each worker, at the last look *)
  clock : Thread_clock.reading;
  mutable next : int; (* the time of the next look *)
  looking : bool Atomic.t;
}

let interval = 10_000_000

(* Nanoseconds between two preemptions of all workers: a job in the deque of a worker that computes waits
   no longer than that. *)
let preempt_interval = 5_000_000

let create alarm ~workers =
  (* Without the timer thread nobody looks. *)
  (try Timer_thread.start () with Sys_error _ -> ());
  let processors = Processors.now () in
  {
    alarm;
    throttle = Worker_throttle.create ~workers ~processors:processors.count ~assumed:(Processors.assumed ());
    readings = Array.init workers (fun _ -> Worker_throttle.reading ());
    spells = Array.make workers 0;
    clock = { ran = 0; waited = 0 };
    next = 0;
    looking = Atomic.make false;
  }

let first_room t = Worker_throttle.room t.throttle

let soon t =
  let now = Timer_thread.now () in
  t.next <- now + interval;
  Timer_thread.set t.alarm (now + preempt_interval)

let read t (w : Worker.t) =
  let r = t.readings.(w.index) and s = w.sleeper in
  let spells = s.spells in
  let active = match s.status with Working | Searching -> true | Detached | Idle -> false in
  r.working <- active && spells = t.spells.(w.index);
  t.spells.(w.index) <- spells;
  r.progress <- Deque_memory.forks w.deque + w.jobs + s.counts.steals;
  r.known <- Thread_clock.read w.clock t.clock;
  if r.known then begin
    r.ran <- t.clock.ran;
    r.waited <- t.clock.waited
  end

(* Preempts the workers that are too many, by index from the last; the thread in the slot stays. *)
let rec preempt_excess (workers : Worker.t array) i ~excess =
  if i > 0 && excess > 0 then begin
    let w = workers.(i) in
    let active = w.sleeper.status = Working in
    if active then Deque.request_preempt w.deque;
    preempt_excess workers (i - 1) ~excess:(if active then excess - 1 else excess)
  end

let look_now t (parts : Worker.parts) ~now =
  ignore (Handlers.take_over () : bool);
  Array.iter (read t) parts.workers;
  let processors = Processors.now () in
  let room =
    Worker_throttle.look t.throttle ~now ~processors:processors.count ~share:processors.share
      ~collections:(Gc.quick_stat ()).minor_collections t.readings
  in

  if room <> Sleep.room parts.sleepers then
    Sleep.set_room parts.sleepers room ~more:(fun () -> Worker.is_work parts);
  preempt_excess parts.workers (Array.length parts.workers - 1) ~excess:(Sleep.excess parts.sleepers)

let try_to_look t parts ~now =
  if Atomic.compare_and_set t.looking false true then begin
    look_now t parts ~now;
    Atomic.set t.looking false;
    Sleep.looked parts.Worker.sleepers ~more:(fun () -> Worker.is_work parts)
  end

(* The alarm may have gone off for a timer. *)
let look t parts =
  if Sleep.is_watched parts.Worker.sleepers then begin
    let now = Timer_thread.now () in
    if now >= t.next then try_to_look t parts ~now
    else Timer_thread.set t.alarm (min t.next (now + preempt_interval))
  end
