open Pool_state

let idle p () =
  (* The closing thread waits until all workers sleep and nothing is queued. The caller is in the list of
     sleepers already. *)
  if p.state = Closing && Worker.is_idle p.parts then begin
    Atomic.set p.quiet true;
    Lock.protect p.lock (fun () -> List.iter Parker.unpark p.closers);
    Parker.unpark (External_slot.worker p).sleeper.parker
  end

(* No job is queued or running, no fiber waits, and none was resumed meanwhile: a fiber that is being
   resumed stays in the list of waiting fibers until it is queued, and whoever queues it counts it first. *)
let is_finished p =
  let seen = Atomic.get p.injections in
  let suspended = p.parts.home.suspended in
  Suspended_fibers.is_empty suspended && Worker.is_idle p.parts && Suspended_fibers.is_empty suspended
  && Atomic.get p.injections = seen

(* By the thread that closes. A signal's handler can make it leave at each wait; the next call of close
   continues. *)
type closer = { parker : Parker.t; now : Parker.t Atomic.t; computation : Signals.t }

let rest closer seconds =
  Signals.poll closer.computation;
  if Signals.is_left closer.computation then raise_notrace Signals.Gone;
  ignore (Parker.park_for closer.parker seconds)

let rec wait_for_quiet p closer =
  if not (Atomic.get p.quiet) then begin
    Exit_functions.run_if_due ();
    let until () = Atomic.get p.quiet || Exit_functions.are_due () || Signals.is_left closer.computation in
    Atomic.set closer.now (External_slot.worker p).sleeper.parker;
    Signals.set_working closer.computation true;
    let worked = External_slot.try_work p ~until in
    Signals.set_working closer.computation false;
    Atomic.set closer.now closer.parker;
    if worked then rest closer 0.
    else begin
      (* Workers that sleep already must look once more, to find that nothing is left. *)
      unpark_all p;
      rest closer 0.01
    end;
    wait_for_quiet p closer
  end

(* From here on nobody takes the slot, and no extra worker comes. *)
let rec keep_slot p closer =
  Lock.protect p.lock (fun () ->
      if not (p.slot_taken || List.exists (fun r -> r.taken) p.extra_slots) then begin
        p.slot_taken <- true;
        p.slot_kept <- true
      end);
  if not p.slot_kept then begin
    unpark_all p;
    rest closer 0.01;
    keep_slot p closer
  end

let is_quiet p = Suspended_fibers.is_empty p.parts.home.suspended && Worker.is_idle p.parts

let rec drain p closer =
  Atomic.set p.quiet false;
  wait_for_quiet p closer;
  if not (is_finished p) then begin
    let suspended = p.parts.home.suspended in
    (* A timer that holds will fire, and a blocking call will end. One that is no longer pending but has not
       resumed its fiber yet is being run by a worker, or by a thread that reads the fiber's stack. Hence the
       order of these questions. *)
    let at_rest =
      Suspended_fibers.with_no_read suspended (fun () ->
          (not (Timers.hold p.parts.timers || Suspended_fibers.is_held suspended)) && Worker.is_idle p.parts)
    in
    if not at_rest then rest closer 0.01
      (* Fibers here may wait for tasks of other pools, as long as one of those pools has something to do. *)
    else if Suspended_fibers.has_sources suspended || List.for_all is_quiet (others p) then
      Suspended_fibers.cancel_some suspended (Closed p.name)
    else rest closer 0.01;
    drain p closer
  end

let join p d =
  try Runtime_threads.join d
  with exn -> Say.line "a domain of pool %S ended with an exception: %s" p.name (Printexc.to_string exn)

let release (w : Worker.t) =
  Span_session.detach w.deque;
  Worker.release w

let end_workers p =
  Atomic.set p.stop true;
  Respawn.shut p.parts.sleepers;
  unpark_all p;
  Array.iter (List.iter (join p)) p.own;
  List.iter (join p) p.fallbacks;
  p.own <- [||];
  p.fallbacks <- [];
  p.final <- Some (stats p);
  Array.iter release (all_workers p);
  Array.iter release p.spare;
  Deque_memory.free_word p.wake_word;
  Timer_thread.free p.parts.alarm;
  Option.iter Minor_heap.release p.hold;
  unregister p

let end_pool p closer =
  drain p closer;
  keep_slot p closer;
  end_workers p;
  Lock.protect p.lock (fun () -> p.state <- Ended);
  List.iter Parker.unpark p.closers;
  Uncaught.report_pool p.name

type turn = Mine | Taken | Over

(* Under the lock, so that the next closer sees what the last one has done. *)
let turn p =
  Lock.protect p.lock (fun () ->
      if p.state = Ended then Over
      else if p.being_closed then Taken
      else begin
        p.being_closed <- true;
        p.state <- Closing;
        Mine
      end)

let leave_turn p = Lock.protect p.lock (fun () -> p.being_closed <- false)

(* If a signal's handler makes this thread leave, the next call of close continues. *)
let use_turn p closer = Fun.protect ~finally:(fun () -> leave_turn p) (fun () -> end_pool p closer)

let rec close_or_wait p closer =
  match turn p with
  | Over -> ()
  | Mine -> use_turn p closer
  | Taken ->
      Exit_functions.run_if_due ();
      rest closer 0.1;
      close_or_wait p closer

let as_closer p f =
  let parker = Parker.create ~interruptible:true in
  Lock.protect p.lock (fun () -> p.closers <- parker :: p.closers);
  let now = Atomic.make parker in
  External_caller.computing p ~parker ~now @@ fun computation -> f p { parker; now; computation }

let close_outside p = as_closer p close_or_wait

let apart p f =
  let domain = Runtime_threads.domain (Printf.sprintf "the closing of pool %S" p.name) in
  Domain_start.with_signals_masked (fun masked -> Domain_start.start_apart domain ~masked f)

(* By a task of another pool, whose worker must not block. To start a domain for it would take as long as all
   else: so a worker of [p] leaves the pool, and its domain closes it. *)
let close_by_task p ~mine =
  let closed = Job.pending () in
  let settle outcome = Resume.deliver closed (Option.value (Job.try_settle closed outcome) ~default:[]) in
  let raised exn : _ Job.state = Raised (Job.failure exn (Printexc.get_raw_backtrace ())) in
  let close_here ~leave =
    let close = if mine then use_turn else close_or_wait in
    let outcome = match as_closer p close with () -> Job.Returned () | exception exn -> raised exn in
    leave ();
    settle outcome
  in
  let close_in_new_domain () =
    try apart p (fun () -> close_here ~leave:ignore)
    with exn ->
      let outcome = raised exn in
      if mine then leave_turn p;
      settle outcome
  in
  let leave_and_close () =
    match Worker.current () with
    (* Not if jobs of this pool wait on its stack: they end only when the pool ends their waits. *)
    | Some w when w.index > 0 && w.nested = 0 ->
        w.closing <- Some (fun ~leave -> Signals.aside (fun () -> close_here ~leave))
    | _ -> close_in_new_domain ()
  in
  let is_held = !Explored.on || Span_session.is_profiled (External_slot.worker p).deque in
  let begin_to_close () =
    if mine && has_domains p && not is_held then begin
      External_slot.queue p (Job.T (Job.task Spawn_context.nobody leave_and_close));
      External_slot.find_somebody p
    end
    else close_in_new_domain ()
  in
  Deadlock.expect (fun () ->
      begin_to_close ();
      Suspend.suspend ~what:"Weft.Pool.close" closed)

let close p who =
  match Worker.current () with
  | None -> close_outside p
  | Some w when w.parts == p.parts ->
      misuse who
        "pool %S cannot be closed by one of its own tasks, which it would wait for; close it from outside"
        p.name
  | Some _ -> (
      match turn p with
      | Over -> ()
      | Mine -> close_by_task p ~mine:true
      | Taken -> close_by_task p ~mine:false)

let close_meanwhile p = apart p (fun () -> close_outside p)
let has_ended p = Lock.protect p.lock (fun () -> p.state = Ended)

(* A user who presses Ctrl-C will not wait for tasks that may never end, and nobody else could close the
   pool. *)
let close_or_leave p who =
  if p.abandoned then close_meanwhile p
  else
    try close p who
    with exn when not (has_ended p) ->
      let backtrace = Printexc.get_raw_backtrace () in
      close_meanwhile p;
      Printexc.raise_with_backtrace exn backtrace

let use_and_close p who f =
  match f () with
  | v ->
      close_or_leave p who;
      v
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match close_or_leave p who with
      | () -> Printexc.raise_with_backtrace exn backtrace
      | exception handler's ->
          let its = Printexc.get_raw_backtrace () in
          Uncaught.suppressed exn backtrace;
          Printexc.raise_with_backtrace handler's its)

(* --- the program's end --- *)

(* A worker in the middle of a task gives way at its next fork, or between two blocks of a loop. *)
let stop_at_exit p =
  Atomic.set p.stop true;
  Respawn.shut_soon p.parts.sleepers;
  unpark_all p;
  Array.iter (fun (w : Worker.t) -> Deque.request_preempt w.deque) (all_workers p)
