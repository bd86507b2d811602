let here () : Job.task Deque.t = Deque_memory.current ()
let nowhere = Deque_memory.nowhere ()

(* --- giving way --- *)

let yield_by ?(perform = Suspend.to_scheduler) queue =
  let wait k = queue (Job.resumption (fun () -> Effect.Deep.continue k ())) in
  match perform wait with () -> () | exception Effect.Unhandled (Fiber_stack.Suspend _) -> ()

(* Lets the injector's tasks run on this worker, one after the other. The fiber itself lies at the bottom of the deque meanwhile,
   so that it comes before the forks that it has left there. *)
let rec give_way (w : Worker.t) ~background rounds =
  let injected = not (Injector.is_empty w.parts.injector) in
  let background = background && (not injected) && not (Injector.is_empty w.parts.background) in
  if injected || background then
    if rounds = 0 then Timer_thread.set w.parts.alarm (Timer_thread.now () + 1_000_000)
    else begin
      yield_by (fun task ->
          Worker.push w task;
          if injected then Worker.look_at_injector w else Worker.look_at_background w);
      match Worker.current () with
      | Some w -> give_way w ~background:(not background) (rounds - 1)
      | None -> ()
    end

(* There are more workers at work than there is room for: this one goes to sleep before its next job, and the fiber goes on
   elsewhere. *)
let step_down (w : Worker.t) =
  if w.index > 0 && Sleep.is_over w.parts.sleepers then yield_by w.parts.home.queue

(* The eldest job of a deque is what a thief would take. If there is no room for thieves, it must not wait for ever behind a
   computation that goes on for ever. *)
let give_way_to_eldest (w : Worker.t) =
  if Sleep.is_crowded w.parts.sleepers && Deque.size w.deque > 0 then begin
    let top = Deque_memory.top w.deque and now = Timer_thread.now () in
    if top <> w.eldest then begin
      w.eldest <- top;
      w.eldest_since <- now
    end
    else if now - w.eldest_since > Hand_over.longest_wait then begin
      w.eldest_since <- now;
      yield_by (fun task ->
          w.parts.home.queue task;
          Worker.look_at_eldest w)
    end
  end

(* Where there are more fibers than there is room for, those that compute for ever take turns: at the bottom of the deque this one
   would lie behind whatever comes from the injector. Each fourth turn is the background's: a turn takes the worker's tick to the next
   multiple of 64, and the background's to 16 beyond one of 256. *)
let give_way_in_turn (w : Worker.t) ~alarmed =
  if Sleep.is_crowded w.parts.sleepers && not (Injector.is_empty w.parts.injector) then begin
    let background = w.tick land 192 = 192 && not (Injector.is_empty w.parts.background) in
    Timer_thread.set w.parts.alarm (Timer_thread.now () + 1_000_000);
    yield_by (fun task ->
        w.parts.home.queue task;
        if background then Worker.look_at_background w else Worker.look_at_injector w)
  end
  else give_way w ~background:alarmed 64

(* The program ends: the worker's domain ends after this job, or the caller in the slot must call its domain's functions of Domain.at_exit.
   Or a signal's handler has the caller in the slot leave. *)
let give_way_to_exit (w : Worker.t) =
  if Exit_functions.are_due () || (w == w.parts.workers.(0) && Signals.must_leave_slot w.parts.home) then
    yield_by w.parts.home.queue

let give_way_to_all (w : Worker.t) ~alarmed =
  step_down w;
  Option.iter give_way_to_exit (Worker.current ());
  Option.iter give_way_to_eldest (Worker.current ());
  Option.iter (give_way_in_turn ~alarmed) (Worker.current ());
  if not (Injector.is_empty w.parts.background) then
    Timer_thread.set w.parts.alarm (Timer_thread.now () + 4_000_000)

(* They may wait; and they are not the fiber's own, so its cancellation does not end them. *)
let run_handlers (w : Worker.t) =
  let home = w.parts.home in
  if Signals.is_pending home then Context.shield (fun () -> Signals.poll_for home)

(* What timers resume, and what comes from outside, might else wait for long, if all workers are in the middle of fork-join
   computations: so the fiber gives way. Whether it was to, and could not. *)
let see_to_others ~may_suspend =
  Option.iter run_handlers (Worker.current ());
  match Worker.current () with
  | None -> false
  | Some w ->
      if Worker_loop.is_unsettled w then Worker_loop.settle w;
      let alarmed = Timers.is_due w.parts.timers in
      if alarmed then Work_span.aside (fun () -> Worker_loop.attend w);
      ignore (Hand_over.hand_over w : bool);
      if may_suspend then begin
        give_way_to_all w ~alarmed;
        false
      end
      else
        (not (Injector.is_empty w.parts.injector))
        && begin
             (* If no operation comes that may suspend: later. *)
             Timer_thread.set w.parts.alarm (Timer_thread.now () + 1_000_000);
             true
           end

(* --- polling --- *)

let poll ~may_suspend =
  Stack_room.(ensure call);
  if Deque.acknowledge (here ()) then begin
    let is_left = see_to_others ~may_suspend in
    (* A fiber that is marked is called again wherever it arrives: of two that give way to each other, each must get on. What may not
       suspend leaves the call to the next operation that may. *)
    if may_suspend then begin
      if Deque.acknowledge (here ()) then ignore (see_to_others ~may_suspend:false : bool)
    end
    else if is_left then Deque.request_preempt (here ());
    Fiber.look (Context.current ())
  end;
  Deque.make_room (here ())

(* A fiber that is marked is called again: this is no place at which it ends. *)
let[@inline never] give_others_their_turn ~timeout =
  let may_wait = match timeout with None -> true | Some seconds -> seconds > 0. in
  if may_wait && here () != nowhere then begin
    Stack_room.(ensure call);
    if Deque.acknowledge (here ()) then begin
      ignore (see_to_others ~may_suspend:true : bool);
      Fiber.return_to (Context.current ())
    end;
    Deque.make_room (here ())
  end

let[@inline] pass timeout = if Deque.is_preempt_requested (here ()) then give_others_their_turn ~timeout

let check () =
  (* Timers may be due that nobody else has the time to see to. *)
  if Deque.is_preempt_requested (here ()) && here () != nowhere then poll ~may_suspend:false;
  let c = Context.current () in
  match Fiber.cancellation c with Stopped _ -> Fiber.look c | Fine | Failing _ -> ()

let yield () =
  match Worker.current () with
  | None -> Thread.yield ()
  | Some w ->
      let home = w.parts.home in
      check ();
      (* If there is nothing else to do here, this worker goes on with the fiber: nobody else need come. *)
      let others = Deque.size w.deque > 0 || not (Injector.is_empty w.parts.injector) in
      yield_by ~perform:Suspend.perform (fun task ->
          home.queue task;
          if others then Worker.wake_up home);
      check ()
