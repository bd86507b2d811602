open Worker

let take_from w injector =
  let task = Injector.pop injector ~nil:Job.nil in
  if task != Job.nil then w.taken <- w.taken + 1;
  task

let from_background w =
  w.origin <- Trace_hooks.background;
  take_from w w.parts.background

let from_injector w =
  w.origin <- Trace_hooks.injector;
  take_from w w.parts.injector

let own_job w =
  w.tick <- w.tick + 1;
  let first =
    match w.tick land 63 with
    | 0 -> from_injector w
    | 16 when w.tick land 255 = 16 -> from_background w
    | 32 ->
        w.origin <- Trace_hooks.own;
        Deque.take_eldest w.deque ~nil:Job.nil
    | _ -> Job.nil
  in
  if first != Job.nil then first
  else
    let task = Deque.pop w.deque ~nil:Job.nil in
    w.origin <- Trace_hooks.own;
    if task != Job.nil then task else from_injector w

(* xorshift64 (Marsaglia 2003), on OCaml's 63 bits. *)
let random w =
  let x = w.random in
  let x = x lxor (x lsl 13) in
  let x = x lxor (x lsr 7) in
  let x = x lxor (x lsl 17) in
  w.random <- x;
  x land max_int

let ask_or_steal w victim =
  let task = Deque.ask victim.deque ~by:w.deque ~nil:Job.nil in
  if task != Job.nil then begin
    Questions.answered w.questions ~victim:(number victim);
    task
  end
  else
    let task = Deque.steal victim.deque ~nil:Job.nil in
    if task != Job.nil then Questions.not_answered w.questions ~victim:(number victim);
    task

let take w victim =
  if victim == w || Deque.is_empty victim.deque || is_put_off victim then Job.nil
  else if Questions.asks w.questions ~victim:(number victim) then ask_or_steal w victim
  else
    let task = Deque.steal victim.deque ~nil:Job.nil in
    if task != Job.nil then Questions.not_asked w.questions;
    task

let rec steal_from w workers i left =
  if left = 0 then Job.nil
  else
    let victim = Array.unsafe_get workers i in
    let task = take w victim in
    if task != Job.nil then begin
      let counts = w.sleeper.counts in
      counts.steals <- counts.steals + 1;
      w.origin <- number victim;
      task
    end
    else steal_from w workers (if i + 1 = Array.length workers then 0 else i + 1) (left - 1)

let steal w =
  let workers = w.parts.workers and extras = w.parts.extras in
  let n = Array.length workers in
  let task = steal_from w workers (random w mod n) n in
  let task = if task == Job.nil then steal_from w extras 0 (Array.length extras) else task in
  let counts = w.sleeper.counts in
  if task == Job.nil then counts.failed_steals <- counts.failed_steals + 1;
  task

(* For {!Worker.hold_back}: the worker has just queued a call of a batched structure. It looks at the others'
   deques before its own, to help with the batch instead of starting further calls. Where only one other
   works, that one runs the batch, and the top of its deque holds what was there before. Stealing it
   would bring in one more call each time, at the price of a heavy barrier. So one worker runs the batch, the
   other prepares the next, and a short wait keeps the batch from growing. *)
let rec help w rounds =
  let task = from_injector w in
  let task = if task == Job.nil && Sleepers.active w.parts.sleepers > 2 then steal w else task in
  if task != Job.nil || rounds = 0 then task
  else begin
    Domain.cpu_relax ();
    help w (rounds - 1)
  end

(* All that is ready, in order: see Explored. *)
let take_out w =
  let rec all queue taken =
    let (Job.T j as task) = queue () in
    if task == Job.nil then taken else all queue (if Job.is_stale j then taken else task :: taken)
  in
  let taken = all (fun () -> Deque.take_eldest w.deque ~nil:Job.nil) [] in
  let taken = all (fun () -> from_injector w) taken in
  List.rev (all (fun () -> from_background w) taken)

let ready w =
  let ready = take_out w in
  List.iter (push_only w) ready;
  ready

(* Time does not pass for a program that waits for something outside. *)
let is_time w = Timers.expects_none w.parts.timers && not (Timers.is_empty w.parts.timers)

let pass_time w =
  match Timers.next w.parts.timers with
  | Some time when Timers.expects_none w.parts.timers ->
      Explored.jump_to time;
      run_due_timers w;
      true
  | _ -> false

let[@inline never] rec explored w =
  let ready = take_out w in
  let chosen = Explored.next ~time:(is_time w) ready in
  let task = match chosen with Job task -> task | Nothing_else | Time -> Job.nil in
  List.iter (fun other -> if other != task then push_only w other) ready;
  match chosen with Time when pass_time w -> explored w | _ -> task

let next_job w =
  if !Explored.on then explored w
  else
    let task =
      if w.holds_back then begin
        w.holds_back <- false;
        help w search_rounds
      end
      else Job.nil
    in
    if task != Job.nil then task else own_job w

let steal_timed w =
  let began = Tsc.now () in
  let task = steal w in
  if task != Job.nil then Steal_backoff.stolen w.backoff ~began ~now:(Tsc.now ());
  task

(* The own deque first: what a signal handler has resumed on this thread must not wait there behind stolen
   work. *)
let rec spin w rounds =
  let task = next_job w in
  if task != Job.nil then task
  else
    let pauses = Steal_backoff.pauses w.backoff ~now:Tsc.now in
    let task = if pauses then Job.nil else steal_timed w in
    (* Last of all. *)
    let task = if task != Job.nil then task else from_background w in
    if task != Job.nil || (rounds = 0 && not pauses) then task
    else begin
      Domain.cpu_relax ();
      spin w (if pauses then rounds else rounds - 1)
    end

(* Read without order: about as many as there are. *)
let at_hand w =
  let of_others sum other = if other == w then sum else sum + Deque.size other.deque in
  let jobs = Array.fold_left of_others 0 w.parts.workers in
  let jobs = Array.fold_left of_others jobs w.parts.extras in
  if Injector.is_empty w.parts.injector then jobs else jobs + 1

let[@inline never] tell_of_search w = !Trace_hooks.listener.searches ~worker:(number w) ~at_hand:(at_hand w)

let search w =
  let s = w.sleeper in
  if !Trace_hooks.on then tell_of_search w;
  s.counts.searches <- s.counts.searches + 1;
  let task = spin w (if s.woken then search_rounds else w.rounds) in
  if task == Job.nil then w.rounds <- max fewest_rounds (w.rounds / 2)
  else if (not s.woken) || Timer_thread.now () - w.slept_at < short_sleep then w.rounds <- search_rounds;
  if s.woken then begin
    s.woken <- false;
    if task == Job.nil then s.counts.idle_wakes <- s.counts.idle_wakes + 1
  end;
  task
