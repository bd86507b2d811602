open Worker

type retire = { after : Idle_period.limits; leave : unit -> Respawn.leave }

(* If there is no memory for a stack, the task has not begun: it is queued again. *)
let start_fiber w task =
  try Fiber_stack.start Run_job.run_job task ~returned:Run_job.go_on ~others:Forward_effects.others
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    w.parts.home.queue task;
    Printexc.raise_with_backtrace exn backtrace

let execute w (Job.T j as task) =
  w.jobs <- w.jobs + 1;
  Explored.begins task;
  (match Job.state j with
  | Resume | Gave_way ->
      if !Trace_hooks.on then tell_of_job w ~resumed:true;
      ignore (j.run ())
  | Running _ | Awaited_running _ | Asks _ | Returned _ | Raised _ ->
      (* The awaiter has claimed it: a stale entry. *) ()
  | Fork _ | Task _ | Awaited_task _ | Pending | Awaited_pending _ ->
      if !Trace_hooks.on then tell_of_job w ~resumed:false;
      start_fiber w task);
  (* From here until the next fiber begins or is resumed, no fiber runs on this worker. *)
  Loops.set w.deque No_loop;
  Spawn_context.set_here w.deque Spawn_context.nobody

let[@inline never] size_minor_heap w =
  w.minor_heap_at <- max_int;
  w.parts.size_minor_heap w

let[@inline] size_minor_heap_soon (w : Worker.t) =
  if w.minor_heap_at < max_int && Timer_thread.now () > w.minor_heap_at then size_minor_heap w

(* If there is more than this worker can take, and all others compute for long, one of them shall give way
   soon. *)
let run_timers w =
  run_due_timers w;
  if not (Injector.is_empty w.parts.injector) then begin
    look_at_injector w;
    poll_soon w.parts
  end

(* Handlers run in a fiber, since they may wait. *)
let queue_handlers parts =
  Signals.is_pending parts.home
  && begin
       parts.home.queue (Job.T (Job.task Spawn_context.nobody (fun () -> Signals.poll_for parts.home)));
       true
     end

(* The worker was preempted between two jobs. The request may be meant for the next fiber, so it stays set. *)
let[@inline never] turn_to_injector w =
  Thread_turns.give w.turns ~now:Timer_thread.now;
  let is_signal = queue_handlers w.parts in
  if Hand_over.hand_over w || is_signal then look_at_injector w

type after_wait = Retired | Go_on

let[@inline never] sleep_and_tell w seconds =
  if w.sleeper.counts.parks mod sleeps_between = 0 then tell_again w;
  !Trace_hooks.listener.parks ~worker:(number w);
  let outcome = Sleep.commit_wait w.sleeper seconds in
  !Trace_hooks.listener.unparked ~worker:(number w);
  outcome

let wait_asleep w seconds =
  !Trace_hooks.listener.look ();
  if !Trace_hooks.on then sleep_and_tell w seconds else Sleep.commit_wait w.sleeper seconds

(* A token may come from the alarm, or from the thread that closes the pool: [idle] answers that one. *)
let rec wait_listed w ~until ~retire =
  let outcome =
    if until () then Parker.Token
    else begin
      Hand_over.hand_over_before_sleep w;
      wait_asleep w (Option.map (fun (period, _) -> Idle_period.left period) retire)
    end
  in
  ignore (queue_handlers w.parts : bool);
  (* After every wait: see Timer_thread. *)
  if Timers.is_due w.parts.timers then begin
    Sleep.while_moving_jobs w.parts.sleepers (fun () -> run_timers w);
    (* A worker that fell asleep meanwhile did not find the pool idle. *)
    w.parts.idle ()
  end;
  match (outcome, retire) with
  | Timed_out, Some (period, leave) when not (until ()) -> (
      match leave () with
      | Respawn.Gone -> Retired
      | Woken -> Go_on
      | Needed ->
          Idle_period.postpone period;
          wait_listed w ~until ~retire)
  | _ ->
      let wanted = until () || is_work_to_take w.parts in
      if
        Sleep.is_woken w.parts.sleepers w.sleeper
        || (wanted && Sleep.cancel_wait w.parts.sleepers w.sleeper ~leaving:(until ()))
      then Go_on
      else begin
        w.parts.idle ();
        wait_listed w ~until ~retire
      end

let rec work_on w ~until ~retire =
  if Timers.is_due w.parts.timers then run_timers w;
  if Deque.is_preempt_requested w.deque then turn_to_injector w;
  if not (until ()) then
    if Sleep.is_over w.parts.sleepers && w.index > 0 then sleep w ~until ~retire
    else
      let task = Steal.next_job w in
      if task != Job.nil then begin
        execute w task;
        if w.index > 0 then size_minor_heap_soon w;
        work_on w ~until ~retire
      end
      else if !Explored.on && Steal.pass_time w then work_on w ~until ~retire
      else if Sleep.start_search w.parts.sleepers w.sleeper then search_or_sleep w ~until ~retire
      else sleep w ~until ~retire

(* The worker is Searching. *)
and search_or_sleep w ~until ~retire =
  let task = Steal.search w in
  if task != Job.nil then begin
    Sleep.stop_search w.parts.sleepers w.sleeper ~more:(fun () -> is_work_to_take w.parts);
    hurry w.parts;
    execute w task;
    if Steal_backoff.has_stolen w.backoff then
      Steal_backoff.ended w.backoff ~more:(not (Deque.is_empty w.deque)) ~now:(Tsc.now ());
    if w.index > 0 then size_minor_heap_soon w;
    work_on w ~until ~retire
  end
  else sleep w ~until ~retire

(* The worker is Working or Searching, and it found nothing, or there is no room for it. *)
and sleep w ~until ~retire =
  let searched = w.sleeper.status = Sleepers.Searching in
  Sleep.prepare_wait w.parts.sleepers w.sleeper;
  let leaving = until () in
  if (leaving || is_work_to_take w.parts) && Sleep.cancel_wait w.parts.sleepers w.sleeper ~leaving:(until ())
  then begin
    if searched && not leaving then w.sleeper.counts.late_finds <- w.sleeper.counts.late_finds + 1;
    go_on w ~until ~retire
  end
  else begin
    w.slept_at <- Timer_thread.now ();
    w.eldest_wait <- 0;
    w.parts.idle ();
    wait_and_go_on w ~until ~retire
  end

and wait_and_go_on w ~until ~retire =
  let begin_ r = (Idle_period.begin_ r.after w.deque w.sleeper.parker, r.leave) in
  let wait () = wait_listed w ~until ~retire:(Option.map begin_ retire) in
  match Sleep.while_waiting w.sleeper wait with
  | Retired -> ()
  | Go_on ->
      if Option.is_some retire then Idle_period.end_ w.deque;
      go_on w ~until ~retire

(* It is Searching again. *)
and go_on w ~until ~retire =
  if Timers.is_due w.parts.timers then run_timers w;
  if until () then Sleep.stop_search w.parts.sleepers w.sleeper ~more:(fun () -> is_work w.parts)
  else search_or_sleep w ~until ~retire

let work w ~until = work_on w ~until ~retire:None
let work_elastic w ~until retire = work_on w ~until ~retire:(Some retire)

let return w ~until retire =
  let retire = Some retire in
  let task = if w.sleeper.starting && not (until ()) then Steal.from_injector w else Job.nil in
  if task == Job.nil then begin
    Sleep.started w.parts.sleepers w.sleeper;
    wait_and_go_on w ~until ~retire
  end
  else begin
    Sleep.working_at_once w.parts.sleepers w.sleeper
      ~more:(fun () -> is_work w.parts)
      (fun () ->
        hurry w.parts;
        execute w task);
    size_minor_heap_soon w;
    work_on w ~until ~retire
  end
