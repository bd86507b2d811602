let here () : Job.task Deque.t = Deque_memory.current ()
let nowhere = Deque_memory.nowhere ()

(* --- giving way --- *)

let suspend_by ?(perform = Suspend.to_scheduler) wait =
  match perform wait with () -> () | exception Effect.Unhandled (Fiber_stack.Suspend _) -> ()

let resumption k = Job.resumption (fun () -> Effect.Deep.continue k ())
let yield_by queue = suspend_by (fun k -> queue (resumption k))

(* [queue job] queues the fiber behind others, and [look ()] says where the worker takes its next job. If the
   fiber is cancelled after that, it is queued as ready, too, and continued by the first of its two jobs. If
   it is cancelled already, its only job is a ready one. *)
let suspend_into ?perform (w : Worker.t) queue look =
  let context = Context.current () and home = w.parts.home in
  suspend_by ?perform @@ fun k ->
  let claimed = Atomic.make false and is_ready = Atomic.make false in
  let go_on () = if not (Atomic.exchange claimed true) then Effect.Deep.continue k () in
  let cancel _ =
    if not (Atomic.get claimed || Atomic.exchange is_ready true) then
      Worker.put_back (Job.resumption go_on) home
  in
  (match if !Explored.on then None else Fiber.begin_wait { context; cancel } with
  | None -> queue (Job.gave_way go_on)
  | Some _ ->
      Atomic.set is_ready true;
      home.queue (Job.resumption go_on));
  look ()

let requeue (w : Worker.t) look = suspend_into w w.parts.home.queue look

(* Runs what is ready in the injector on this worker, one job after the other, at most [rounds]. When nothing
   is ready, one job of the background, if [background] or if something was ready before. Meanwhile the fiber
   lies at the bottom of the deque, so it goes on before the forks that it has pushed there. *)
let rec give_way (w : Worker.t) ~background rounds =
  let is_ready = Injector.is_ready w.parts.injector in
  let background = background && (not is_ready) && not (Injector.is_empty w.parts.background) in
  if is_ready || background then
    if rounds = 0 then Worker.poll_soon w.parts
    else begin
      suspend_into w (Worker.push w) (fun () ->
          if is_ready then Worker.look_at_injector w else Worker.look_at_background w);
      match Worker.current () with
      | Some w -> give_way w ~background:(not background) (rounds - 1)
      | None -> ()
    end

(* More workers are at work than there is room for. This one goes to sleep before its next job, and the
   fiber goes on elsewhere. *)
let step_down (w : Worker.t) = if w.index > 0 && Sleep.is_over w.parts.sleepers then requeue w ignore

(* A thief would take the oldest job of a deque. If no thief comes, that job must not wait for ever behind a
   computation that goes on for ever, perhaps until this very job stops it.

   While workers sleep for lack of room, fibers take turns. While all have work, the fiber goes on after the
   job; and the next one waits twice as long, so that a long computation becomes few fibers. *)
let give_way_to_eldest (w : Worker.t) =
  if Sleepers.is_full w.parts.sleepers && Deque.size w.deque > 0 then begin
    let top = Deque_memory.top w.deque and now = Timer_thread.now () in
    let is_crowded = Sleep.is_crowded w.parts.sleepers in
    let wait = if is_crowded then 0 else w.eldest_wait in
    if top <> w.eldest then begin
      w.eldest <- top;
      w.eldest_since <- now
    end
    else if now - w.eldest_since > max Hand_over.longest_wait wait then begin
      w.eldest_since <- now;
      let look () = Worker.look_at_eldest w in
      if is_crowded then requeue w look
      else begin
        w.eldest_wait <- min (64 * Hand_over.longest_wait) (2 * max Hand_over.longest_wait wait);
        suspend_into w (Worker.push w) look
      end
    end
  end

(* If the injector is not empty, one of three. The job began after the last preemption ([preempted] is the job,
   counted by [jobs], that this found or left here): it goes on, and the worker's next job comes from the
   injector. Or nothing is ready and only other fibers gave way, or workers sleep for lack of room: the fiber
   goes to the injector, behind them. Or else [give_way]. In the first two, every fourth time the next job
   comes from the background: each moves the tick to the next multiple of 64. *)
let give_way_to_ready (w : Worker.t) ~alarmed =
  let is_new = w.preempted <> w.jobs and is_crowded = Sleep.is_crowded w.parts.sleepers in
  let takes_turns = is_new || is_crowded || not (Injector.is_ready w.parts.injector) in
  if takes_turns && not (Injector.is_empty w.parts.injector) then begin
    let background = Worker.is_turn_of_background w && not (Injector.is_empty w.parts.background) in
    let look () = if background then Worker.look_at_background w else Worker.look_at_injector w in
    Worker.poll_soon w.parts;
    if is_new then look () else requeue w look
  end
  else give_way w ~background:alarmed 64

(* The program ends: the worker's domain ends after this job, and the caller in the slot must call its
   domain's functions of Domain.at_exit. Or a signal's handler makes the caller leave the slot. *)
let give_way_to_exit (w : Worker.t) =
  if Exit_functions.are_due () || (w == w.parts.workers.(0) && Signals.must_leave_slot w.parts.home) then
    yield_by w.parts.home.queue

let give_way_to_all (w : Worker.t) ~alarmed =
  step_down w;
  Option.iter give_way_to_exit (Worker.current ());
  Option.iter give_way_to_eldest (Worker.current ());
  Option.iter (give_way_to_ready ~alarmed) (Worker.current ());
  Option.iter (fun (w : Worker.t) -> w.preempted <- w.jobs) (Worker.current ());
  if not (Injector.is_empty w.parts.background) then Worker.poll_for_background w.parts

(* Handlers may wait. They do not belong to the fiber, so its cancellation must not end them. *)
let run_handlers (w : Worker.t) =
  let home = w.parts.home in
  if Signals.is_pending home then Context.shield (fun () -> Signals.poll_for home)

(* While all workers are in the middle of computations, fibers that timers resume and jobs from outside
   would wait for long: so this fiber gives way. Returns whether it should have, and could not. *)
let serve_preemption ~may_suspend =
  Option.iter run_handlers (Worker.current ());
  match Worker.current () with
  | None -> false
  | Some w ->
      Thread_turns.give w.turns ~now:Timer_thread.now;
      Worker_loop.size_minor_heap_soon w;
      let alarmed = Timers.is_due w.parts.timers in
      if alarmed then Work_span.aside (fun () -> Worker.run_due_timers w);
      ignore (Hand_over.hand_over w : bool);
      if may_suspend then begin
        give_way_to_all w ~alarmed;
        false
      end
      else
        (not (Injector.is_empty w.parts.injector))
        && begin
             w.preempted <- w.jobs;
             (* If no operation follows that may suspend, the alarm asks again. *)
             Worker.poll_soon w.parts;
             true
           end

(* --- explored --- *)

let[@inline never] rec switch_explored ~what =
  ignore (Deque.acknowledge (here ()) : bool);
  Option.iter run_handlers (Worker.current ());
  match Worker.current () with
  | None -> ()
  | Some w -> (
      match Explored.switch ~what ~time:(Steal.is_time w) (Steal.ready w) with
      | Nothing_else -> ()
      | Time ->
          ignore (Steal.pass_time w : bool);
          switch_explored ~what
      | Job other ->
          suspend_by (fun k ->
              let task = resumption k in
              Explored.makes_way task ~for_:other;
              w.parts.home.queue task))

let[@inline] is_explored () = !Explored.on && not (Exit_functions.are_due ())

let access ~what =
  if is_explored () then begin
    Stack_room.(ensure call);
    switch_explored ~what;
    Explored.look ()
  end

let choose ~what =
  if is_explored () then begin
    access ~what;
    Fiber.look (Context.current ())
  end

(* --- polling --- *)

let poll ?(what = "poll") ~may_suspend () =
  Stack_room.(ensure call);
  if is_explored () then begin
    if may_suspend then switch_explored ~what;
    Fiber.look (Context.current ())
  end
  else if Deque.acknowledge (here ()) then begin
    let is_left = serve_preemption ~may_suspend in
    (* A marked fiber is preempted again wherever it is resumed. If two give way to each other, each must
       still make progress: so only once. An operation that may not suspend leaves the request to the next one
       that may. *)
    if may_suspend then begin
      if Deque.acknowledge (here ()) then ignore (serve_preemption ~may_suspend:false : bool)
    end
    else if is_left then Deque.request_preempt (here ());
    Fiber.look (Context.current ())
  end;
  Deque.make_room (here ())

let[@inline never] checkpoint_slow ~what ~timeout =
  let may_wait = match timeout with None -> true | Some seconds -> seconds > 0. in
  if may_wait && here () != nowhere then begin
    Stack_room.(ensure call);
    if is_explored () then switch_explored ~what
    else if Deque.acknowledge (here ()) then ignore (serve_preemption ~may_suspend:true : bool);
    Fiber.look (Context.current ());
    Deque.make_room (here ())
  end

let[@inline] checkpoint () =
  if Deque.is_preempt_requested (here ()) then checkpoint_slow ~what:"poll" ~timeout:None

let[@inline] checkpoint_within ~what timeout =
  (match timeout with Some seconds -> Timers.check_seconds ~who:what seconds | None -> ());
  if Deque.is_preempt_requested (here ()) then checkpoint_slow ~what ~timeout

let check () =
  (* Timers may be due that no other worker has the time to run. *)
  if Deque.is_preempt_requested (here ()) && here () != nowhere then poll ~may_suspend:false ();
  let c = Context.current () in
  match Fiber.cancellation c with Stopped _ -> Fiber.look c | Fine | Failing _ -> ()

let yield () =
  match Worker.current () with
  | None -> Thread.yield ()
  | Some w ->
      let home = w.parts.home in
      (* Since the fiber gives way now, no request is left to its next operation. *)
      if (not !Explored.on) && Deque.is_preempt_requested w.deque then begin
        Stack_room.(ensure call);
        if Deque.acknowledge w.deque then ignore (serve_preemption ~may_suspend:false : bool)
      end;
      check ();
      (* If there is nothing else to do here, this worker goes on with the fiber: nobody need be woken. *)
      let others = Deque.size w.deque > 0 || not (Injector.is_empty w.parts.injector) in
      let wake () = if others then Worker.wake_up home in
      let queue task =
        Explored.yields task;
        home.queue task
      in
      suspend_into ~perform:Suspend.perform w queue wake;
      if !Explored.on then Explored.look ();
      check ()
