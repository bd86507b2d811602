module Worker_throttle = Weft_scheduler.Worker_throttle

type task = Fork | Compute of int | Sleep of int | Meet of int
type control = Fixed of int | Crowd

(* --- threads --- *)

type state = Asleep | Queued | Running

type thread = {
  in_quota : bool;
  mutable state : state;
  mutable processor : int; (* the last one that it ran on *)
  mutable since : int; (* when it was queued *)
  mutable slice : int; (* steps left of its time slice *)
  mutable ran : int;
  mutable told : int; (* what the kernel reports of [ran] *)
  mutable waited : int;
}

type worker = {
  index : int;
  thread : thread;
  mutable active : bool;
  mutable called : int; (* when it became active *)
  mutable doing : task option;
  mutable left : int; (* steps left of that task *)
  mutable wakes : int; (* when the system call ends, or [max_int] *)
  mutable spins : int; (* steps spent spinning at the meeting *)
  mutable arrived : bool; (* there *)
  mutable progress : int;
  mutable spells : int;
  mutable spells_seen : int;
}

type pool = {
  workers : worker array;
  control : Worker_throttle.t option;
  readings : Worker_throttle.reading array;
  told_processors : int;
  next : unit -> task option;
  collect_every : int;
  mutable room : int;
  mutable at_work : int;
  mutable computed : int; (* steps since the last collection, of the worker with the most *)
  mutable meeting : int; (* meetings left of this collection, or 0 *)
  mutable collections : int;
  mutable useful : int;
  mutable finished : int;
  mutable exhausted : bool; (* there are no more tasks *)
  mutable look_at : int;
  mutable rooms : (int * int) list;
}

let thread ~in_quota =
  { in_quota; state = Asleep; processor = 0; since = 0; slice = 0; ran = 0; told = 0; waited = 0 }

let worker index =
  {
    index;
    thread = { (thread ~in_quota:true) with processor = index };
    active = false;
    called = 0;
    doing = None;
    left = 0;
    wakes = max_int;
    spins = 0;
    arrived = false;
    progress = 0;
    spells = 0;
    spells_seen = -1;
  }

let pool ?(collect_every = max_int) ~control ~workers ~processors next =
  let crowd =
    match control with
    | Fixed _ -> None
    | Crowd -> Some (Worker_throttle.create ~workers ~processors ~assumed:None)
  in
  {
    workers = Array.init workers worker;
    control = crowd;
    readings = Array.init workers (fun _ -> Worker_throttle.reading ());
    told_processors = processors;
    next;
    collect_every;
    room =
      (match (control, crowd) with Fixed room, _ -> room | _, Some c -> Worker_throttle.room c | _ -> 1);
    at_work = 0;
    computed = 0;
    meeting = 0;
    collections = 0;
    useful = 0;
    finished = 0;
    exhausted = false;
    look_at = 100;
    rooms = [];
  }

let forever task () = Some task

let times n task =
  let left = ref n in
  fun () ->
    decr left;
    if !left >= 0 then Some task else None

type t = {
  pools : pool list;
  neighbours : ((int -> bool) * thread) list;
  quota : int; (* steps in each period *)
  share : float;
  running : thread option array; (* indexed by processor *)
  queues : thread list array; (* the one that runs first is first *)
  mutable used : int; (* steps used of the quota in this period *)
  mutable now : int;
  mutable random : int;
}

let period = 1000
let least_slice = 30
let longest_slice = 50
let cold = 5
let balance_every = 120
let tick = 40
let spin = 2
let meetings = 3

let machine ?quota ?(neighbours = []) ~processors pools =
  let share = Option.value quota ~default:(float_of_int processors) in
  List.iter
    (fun p -> Array.iter (fun w -> w.thread.processor <- w.thread.processor mod processors) p.workers)
    pools;
  {
    pools;
    neighbours = List.map (fun present -> (present, thread ~in_quota:false)) neighbours;
    quota = (match quota with None -> max_int | Some q -> int_of_float (q *. float_of_int period));
    share;
    running = Array.make processors None;
    queues = Array.make processors [];
    used = 0;
    now = 0;
    random = 42;
  }

let random m n =
  m.random <- ((m.random * 25214903917) + 11) land 0xffffffffffff;
  (m.random lsr 16) mod n

(* --- the scheduler --- *)

let may_run m th = (not th.in_quota) || m.used < m.quota

let enqueue m th p =
  th.state <- Queued;
  th.processor <- p;
  m.queues.(p) <- m.queues.(p) @ [ th ]

let wake m th =
  if th.state = Asleep then begin
    th.since <- m.now;
    let idle p = m.running.(p) = None && m.queues.(p) = [] in
    let rec find p =
      if p = Array.length m.running then th.processor else if idle p then p else find (p + 1)
    in
    enqueue m th (if idle th.processor then th.processor else find 0)
  end

let unqueue m th = m.queues.(th.processor) <- List.filter (( != ) th) m.queues.(th.processor)

let stop m th =
  th.told <- th.ran;
  m.running.(th.processor) <- None

let sleep m th =
  (match th.state with Running -> stop m th | Queued -> unqueue m th | Asleep -> ());
  th.state <- Asleep

let start m p th =
  unqueue m th;
  th.waited <- th.waited + (m.now - th.since);
  th.state <- Running;
  th.processor <- p;
  th.slice <- least_slice + random m (longest_slice - least_slice);
  m.running.(p) <- Some th

let load m p = List.length m.queues.(p) + if m.running.(p) = None then 0 else 1

let dispatch m p =
  (match m.running.(p) with
  | Some th when (not (may_run m th)) || (th.slice <= 0 && List.exists (may_run m) m.queues.(p)) ->
      stop m th;
      th.since <- m.now;
      enqueue m th p
  | _ -> ());
  if m.running.(p) = None then begin
    let is_cold th = may_run m th && m.now - th.since >= cold in
    match List.find_opt (may_run m) m.queues.(p) with
    | Some th -> start m p th
    | None -> Option.iter (start m p) (Array.find_map (List.find_opt is_cold) m.queues)
  end

let balance m =
  let n = Array.length m.running in
  let longest = ref 0 and shortest = ref 0 in
  for i = 0 to n - 1 do
    let p = (i + m.now) mod n in
    if load m p > load m !longest then longest := p;
    if load m p < load m !shortest then shortest := p
  done;
  match m.queues.(!longest) with
  | th :: _ when load m !longest > load m !shortest ->
      unqueue m th;
      enqueue m th !shortest
  | _ -> ()

(* --- pools --- *)

let ns steps = steps * 100_000

let look m p crowd =
  Array.iter
    (fun w ->
      let r = p.readings.(w.index) in
      r.working <- w.active && w.spells = w.spells_seen;
      w.spells_seen <- w.spells;
      r.ran <- ns w.thread.told;
      r.waited <- ns w.thread.waited;
      r.known <- true;
      r.progress <- w.progress)
    p.workers;
  p.room <-
    Worker_throttle.look crowd ~now:(ns m.now) ~processors:p.told_processors ~share:m.share
      ~collections:p.collections p.readings;
  p.rooms <- (m.now / 10, p.room) :: p.rooms;
  let late = if Array.for_all Option.is_some m.running then random m 30 else 0 in
  p.look_at <- m.now + 100 + late

let look_if_due m p = match p.control with Some crowd when m.now >= p.look_at -> look m p crowd | _ -> ()

let list_worker m p w =
  w.active <- false;
  p.at_work <- p.at_work - 1;
  w.doing <- None;
  sleep m w.thread

(* The worker is between two tasks. *)
let next_task m p w =
  look_if_due m p;
  if w.index > 0 && p.at_work > p.room then list_worker m p w
  else begin
    w.progress <- w.progress + 1;
    w.doing <- p.next ();
    match w.doing with
    | None ->
        p.exhausted <- true;
        list_worker m p w
    | Some Fork -> ()
    | Some (Compute steps) -> w.left <- steps
    | Some (Sleep steps) ->
        w.wakes <- m.now + steps;
        sleep m w.thread
    | Some (Meet _) -> w.left <- 1
  end

let finish m p w =
  p.finished <- p.finished + 1;
  next_task m p w

let compute p w =
  p.useful <- p.useful + 1;
  w.left <- w.left - 1;
  if p.collect_every < max_int then begin
    p.computed <- p.computed + 1;
    if p.computed >= p.collect_every * max 1 p.at_work then p.meeting <- meetings
  end

let meet p k =
  let is_there w = w.active && match w.doing with Some (Meet _) -> true | _ -> false in
  let there = List.filter is_there (Array.to_list p.workers) in
  if List.length there >= k then List.iter (fun w -> w.left <- 0) there

(* The worker has had the processor for this step. *)
let work m p w =
  match w.doing with
  | None -> next_task m p w
  | Some Fork ->
      look_if_due m p;
      w.progress <- w.progress + 1;
      compute p w;
      (* The workers with the highest indices stop. *)
      if w.index > 0 && p.at_work > p.room then begin
        let after n o = if o.active && o.index > w.index then n + 1 else n in
        if Array.fold_left after 0 p.workers < p.at_work - p.room then list_worker m p w
      end
  | Some (Compute _) ->
      compute p w;
      if w.left <= 0 then finish m p w
  | Some (Sleep _) -> finish m p w
  | Some (Meet k) ->
      meet p k;
      if w.left = 0 then finish m p w

(* All running workers arrive. If none is missing, the next meeting begins, at which they arrive too, and
   so on. *)
let rec arrive m p =
  let takes_part w = w.active && w.called < m.now && w.wakes = max_int in
  Array.iter (fun w -> if w.thread.state = Running then w.arrived <- true) p.workers;
  if Array.for_all (fun w -> w.arrived || not (takes_part w)) p.workers then begin
    p.meeting <- p.meeting - 1;
    Array.iter
      (fun w ->
        w.arrived <- false;
        w.spins <- 0;
        if takes_part w then wake m w.thread)
      p.workers;
    if p.meeting > 0 then arrive m p
    else begin
      p.collections <- p.collections + 1;
      p.computed <- 0
    end
  end

let wait m w =
  w.spins <- w.spins + 1;
  if w.spins >= spin then sleep m w.thread

let call_one m p =
  match Array.find_opt (fun w -> not w.active) p.workers with
  | None -> ()
  | Some w ->
      w.active <- true;
      p.at_work <- p.at_work + 1;
      w.spells <- w.spells + 1;
      w.called <- m.now + 1;
      w.arrived <- false

let step_pool m p =
  if p.at_work < Array.length p.workers then look_if_due m p;
  if p.at_work < p.room && not p.exhausted then call_one m p;
  Array.iter
    (fun w ->
      if (w.active && w.called = m.now) || w.wakes = m.now then begin
        w.wakes <- max_int;
        wake m w.thread
      end)
    p.workers;
  if p.meeting > 0 then begin
    arrive m p;
    if p.meeting > 0 then Array.iter (fun w -> if w.thread.state = Running then wait m w) p.workers
  end
  else Array.iter (fun w -> if w.thread.state = Running then work m p w) p.workers

let step m =
  if m.now mod period = 0 then m.used <- 0;
  List.iter
    (fun (present, th) -> if present m.now then wake m th else if th.state <> Asleep then sleep m th)
    m.neighbours;
  if m.now mod balance_every = 0 then balance m;
  Array.iteri (fun p _ -> dispatch m p) m.running;
  Array.iteri
    (fun _ running ->
      match running with
      | Some th ->
          th.ran <- th.ran + 1;
          th.slice <- th.slice - 1;
          if m.now mod tick = 0 then th.told <- th.ran;
          if th.in_quota then m.used <- m.used + 1
      | None -> ())
    m.running;
  List.iter (step_pool m) m.pools;
  m.now <- m.now + 1

let run m ~ms =
  for _ = 1 to ms * 10 do
    step m
  done

let useful p = float_of_int p.useful /. 10.
let finished p = p.finished
let room p = p.room
let rooms p = p.rooms
