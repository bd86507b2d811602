open Pool_state

(* The calling thread is no worker. It waits for [j], and works in [p] meanwhile if the slot gets free.
   [now] holds the parker that the settling of [j] must unpark; [parker] is the caller's own. *)
let work_until_settled ?first ?admitted p j ~now ~parker c =
  Atomic.set now (External_slot.worker p).sleeper.parker;
  let until () = Job.is_settled j || Exit_functions.are_due () || Signals.is_left c in
  Signals.set_working c true;
  let worked = External_slot.try_work ?first ?admitted p ~until in
  Signals.set_working c false;
  Atomic.set now parker;
  worked

(* Until the job is settled, or a signal's handler makes this thread leave. *)
let rec wait_for_turns p j ~now ~parker ~place c =
  Signals.poll_queued c place;
  if not (Job.is_settled j || Signals.is_left c) then begin
    Exit_functions.run_if_due ();
    let free =
      Lock.protect p.lock @@ fun () ->
      let others = List.filter (fun other -> other != parker) p.waiting in
      let free = p.state <> Ended && not p.slot_taken in
      p.waiting <- (if free then others else parker :: others);
      free
    in
    if free then begin
      Outside_waiters.leave place;
      ignore (work_until_settled p j ~now ~parker c : bool)
    end
    else Outside_waiters.park place infinity;
    wait_for_turns p j ~now ~parker ~place c
  end

(* This thread may have used up the wake-up that came with a free slot: it passes it on. *)
let stop_waiting p ~parker ~place () =
  Outside_waiters.leave place;
  Lock.protect p.lock (fun () -> p.waiting <- List.filter (fun other -> other != parker) p.waiting);
  External_slot.ensure_somebody p

let wait_outside p j ~now ~parker c =
  if not (Job.is_settled j) then begin
    let place = Outside_waiters.place parker in
    Fun.protect ~finally:(stop_waiting p ~parker ~place) (fun () -> wait_for_turns p j ~now ~parker ~place c)
  end

(* For the signals that the calling thread's computation gets. *)
let computing ?stop p ~parker ~now f =
  let wake () =
    Array.iter (fun (w : Worker.t) -> Deque.request_preempt w.deque) (all_workers p);
    Parker.unpark (Atomic.get now)
  in
  Signals.enter ~home:p.parts.home ?stop ~parker ~wake f

(* A caller's parker, and the holder of the parker that it waits with now. *)
let caller () =
  let parker = Parker.create ~interruptible:true in
  (parker, Atomic.make parker)

let must_wait j ~now =
  Forward_effects.await ~first:false j (Forward_effects.outsider (fun () -> Parker.unpark (Atomic.get now)))

let run_to_its_end p j who ~now ~parker c =
  let admitted () = External_slot.check_open p who in
  if not (work_until_settled ~first:(Job.T j) ~admitted p j ~now ~parker c) then begin
    Lock.protect p.lock (fun () ->
        External_slot.check_open p who;
        Atomic.incr p.injections;
        Injector.push p.parts.injector (Job.T j));
    External_slot.find_somebody p
  end;
  wait_outside p j ~now ~parker c;
  if not (Job.is_settled j) then raise_notrace Signals.Gone

let run_outside p f ~stop who =
  Stack_room.(ensure deep);
  let parker, now = caller () in
  computing ~stop p ~parker ~now @@ fun c ->
  Deadlock.as_root p f @@ fun f ->
  let j = Job.task (Locals.spawn_context ()) f in
  ignore (must_wait j ~now : bool);
  match run_to_its_end p j who ~now ~parker c with
  | () -> Job.get j
  | exception exn when not (Job.is_settled j) ->
      let backtrace = Printexc.get_raw_backtrace () in
      p.abandoned <- true;
      (* The caller raises its own exception. *)
      if not (Job.add_waiter j Witness) then Job.witness j;
      Printexc.raise_with_backtrace exn backtrace

let await_in p j =
  Stack_room.(ensure deep);
  let parker, now = caller () in
  if must_wait j ~now then
    computing p ~parker ~now @@ fun c ->
    Deadlock.as_root p ignore @@ fun _ -> wait_outside p j ~now ~parker c
