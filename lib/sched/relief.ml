open Pool_state

(* --- what is ready, and untouched --- *)

let of_queues p workers =
  let parts = p.parts in
  if
    Injector.is_empty parts.injector && Injector.is_empty parts.background && not (Timers.is_due parts.timers)
  then Nothing
  else
    let jobs = Array.fold_left (fun sum (w : Worker.t) -> sum + w.jobs) 0 workers in
    Ready { jobs; forks = 0; top = 0; bottom = 0 }

let of_deque (w : Worker.t) =
  let top = Deque_cells.top w.deque and bottom = Deque_cells.bottom w.deque in
  if bottom <= top then Nothing else Ready { jobs = w.jobs; forks = Deque_cells.forks w.deque; top; bottom }

let signs p =
  let workers = all_workers p in
  Array.append [| of_queues p workers |] (Array.map of_deque workers)

(* Places of extra workers are added at the end. *)
let have_in_common before now =
  let rec from i = i >= 0 && ((now.(i) <> Nothing && now.(i) = before.(i)) || from (i - 1)) in
  from (min (Array.length before) (Array.length now) - 1)

let is_untouched p =
  let before = p.signs and now = signs p in
  p.signs <- now;
  Sleepers.nobody_comes p.parts.sleepers && have_in_common before now

(* --- when the next one is due --- *)

let reading : Thread_clock.reading = { ran = 0; waited = 0 }

let computes r =
  r.comes
  && ((not r.began)
     || Thread_clock.read r.worker.clock reading
        &&
        let ran = reading.ran <> r.ran in
        r.ran <- reading.ran;
        ran)

(* Looks: 50 ms, and twice as many with each that there is. *)
let longer p =
  let there = List.length (List.filter (fun r -> r.comes) p.reliefs) in
  12 lsl min there 16

let is_next_due p =
  let some_compute = List.fold_left (fun some r -> computes r || some) false p.reliefs in
  if some_compute then p.held_back <- p.held_back + 1;
  (not some_compute) || p.held_back >= longer p

(* --- an extra worker --- *)

let is_open p = (not p.seat_kept) && p.state <> Ended && not (Atomic.get p.stop)

let make_place p =
  let worker = Worker.make p.parts ~index:0 ~wake:p.wake_word in
  let r = { worker; comes = true; began = false; ran = 0 } in
  let reliefs = r :: p.reliefs and extras = Array.append p.parts.extras [| worker |] in
  let added =
    Lock.protect p.lock (fun () ->
        is_open p
        && begin
             p.reliefs <- reliefs;
             p.parts.extras <- extras;
             true
           end)
  in
  if added then Some r
  else begin
    Worker.release worker;
    None
  end

let take_place p =
  let free =
    Lock.protect p.lock (fun () ->
        let free = List.find_opt (fun r -> not r.comes) p.reliefs in
        (match free with
        | Some r when is_open p ->
            r.comes <- true;
            r.began <- false
        | _ -> ());
        free)
  in
  match free with Some r -> if r.comes then Some r else None | None -> make_place p

let leave_place p r () =
  Lock.protect p.lock (fun () -> r.comes <- false);
  List.iter Parker.unpark p.closers

let work p r =
  let more_room = ref false in
  let leave () =
    if !more_room then begin
      more_room := false;
      Sleepers.add_room p.parts.sleepers (-1)
    end;
    Seat.ensure_somebody p
  in
  let until () = Atomic.get p.stop || not (Worker.is_work p.parts || Timers.is_due p.parts.timers) in
  Seat.finally leave (fun () ->
      Sleepers.add_room p.parts.sleepers 1;
      more_room := true;
      Seat.work_as p r.worker (fun () ->
          r.began <- true;
          Worker.work r.worker ~until))

let main (p, r) = Seat.despite_death p (fun () -> Seat.finally (leave_place p r) (fun () -> work p r))

let start p =
  Seat.with_signals_masked @@ fun () ->
  match take_place p with
  | None -> ()
  | Some r -> (
      Own_threads.note ();
      (* Without memory or threads the next look tries again. *)
      try ignore (Thread.create main (p, r) : Thread.t) with _ -> leave_place p r ())
  | exception _ -> ()

(* --- looking --- *)

let looking = Atomic.make false

let look_at p =
  if is_untouched p && is_next_due p && not (Strand.is_profiled (Seat.seat p).deque) then begin
    p.held_back <- 0;
    start p
  end;
  not (Worker.is_idle p.parts)

let look () =
  let mine = ref false in
  let finish () = if !mine then Atomic.set looking false in
  (not (Exit_functions.is_ending ()))
  && Seat.finally finish (fun () ->
         mine := Atomic.compare_and_set looking false true;
         (not !mine) || List.fold_left (fun soon p -> look_at p || soon) false (all ()))
