open Pool_state

(* --- what is ready, and untouched --- *)

let add_jobs sum (w : Worker.t) = sum + w.jobs

let of_queues p workers =
  let parts = p.parts in
  if
    Injector.is_empty parts.injector && Injector.is_empty parts.background && not (Timers.is_due parts.timers)
  then Nothing
  else Ready { jobs = Array.fold_left add_jobs 0 workers; forks = 0; top = 0; bottom = 0 }

let of_deque (w : Worker.t) =
  let top = Deque_memory.top w.deque and bottom = Deque_memory.bottom w.deque in
  if bottom <= top then Nothing else Ready { jobs = w.jobs; forks = Deque_memory.forks w.deque; top; bottom }

let signs p =
  let workers = all_workers p in
  Array.append [| of_queues p workers |] (Array.map of_deque workers)

(* Slots of extra workers are added at the end. *)
let have_in_common before now =
  let rec from i = i >= 0 && ((now.(i) <> Nothing && now.(i) = before.(i)) || from (i - 1)) in
  from (min (Array.length before) (Array.length now) - 1)

let is_untouched p =
  let before = p.signs and now = signs p in
  p.signs <- now;
  Sleep.nobody_comes p.parts.sleepers && have_in_common before now

(* --- when the next one is due --- *)

let reading : Thread_clock.reading = { ran = 0; waited = 0 }

(* A thread is this worker, or is about to be. *)
let computes r =
  r.taken
  && (r.worker.sleeper.status = Sleepers.Detached
     || Thread_clock.read r.worker.clock reading
        &&
        let ran = reading.ran <> r.ran in
        r.ran <- reading.ran;
        ran)

(* Looks that must want one more before it comes: 0.1 s of them, and twice as many for each further one. *)
let longer p =
  let there = List.length (List.filter (fun r -> r.taken) p.extra_slots) in
  12 lsl min there 16

let is_next_due p =
  let some_compute = List.fold_left (fun some r -> computes r || some) false p.extra_slots in
  if some_compute then p.held_back <- p.held_back + 1;
  (not some_compute) || p.held_back >= longer p

(* --- an extra worker --- *)

let is_open p = (not p.slot_kept) && p.state <> Ended && not (Atomic.get p.stop)

let make_slot p =
  let worker = Worker.make p.parts ~index:0 ~wake:p.wake_word in
  let r = { worker; taken = false; ran = 0 } in
  let slots = r :: p.extra_slots and extras = Array.append p.parts.extras [| worker |] in
  let added =
    Lock.protect p.lock (fun () ->
        is_open p
        && begin
             p.extra_slots <- slots;
             p.parts.extras <- extras;
             true
           end)
  in
  if added then Some r
  else begin
    Worker.release worker;
    None
  end

(* Only the thread that looks takes a slot. *)
let free_slot p =
  match List.find_opt (fun r -> not r.taken) p.extra_slots with Some _ as free -> free | None -> make_slot p

let leave_slot p r =
  r.taken <- false;
  List.iter Parker.unpark p.closers

let work p r =
  let leave () =
    Sleep.add_room p.parts.sleepers (-1);
    External_slot.ensure_somebody p
  in
  let until () = Atomic.get p.stop || not (Worker.is_work_to_take p.parts || Timers.is_due p.parts.timers) in
  Sleep.add_room p.parts.sleepers 1;
  Fun.protect ~finally:leave (fun () ->
      Worker_thread.work_as p r.worker (fun () -> Worker_loop.work r.worker ~until))

let call p r =
  {
    place = r.worker;
    work = (fun () -> work p r);
    leave = (fun () -> leave_slot p r);
    (* The next look tries again. *)
    give_up = (fun _ -> leave_slot p r);
  }

(* If there is no memory for a slot, the next look tries again. *)
let start p =
  Domain_start.with_signals_masked @@ fun _ ->
  match free_slot p with
  | None | (exception _) -> ()
  | Some r ->
      let call = call p r in
      Lock.protect p.lock (fun () ->
          let calls = call :: p.calls in
          if is_open p then begin
            r.taken <- true;
            p.calls <- calls;
            External_slot.answer_calls p
          end)

(* --- looking --- *)

let looking = Atomic.make false

let look_at p =
  let is_held = !Explored.on || Span_session.is_profiled (External_slot.worker p).deque in
  if is_untouched p && is_next_due p && not is_held then begin
    p.held_back <- 0;
    start p
  end;
  not (Worker.is_idle p.parts)

let look () =
  (not (Exit_functions.is_ending ()))
  && ((not (Atomic.compare_and_set looking false true))
     || Fun.protect
          ~finally:(fun () -> Atomic.set looking false)
          (fun () -> List.fold_left (fun soon p -> look_at p || soon) false (all ())))
