module Wire = Weft_trace.Wire

type doing = Runs | Searches | Parks | Away

type worker = {
  number : int;
  mutable index : int;
  mutable pool : string;
  mutable doing : doing;
  mutable collects : bool;  (** whether a collection interrupts what it does *)
  mutable since : int;
  mutable running : int;  (** ns since the last sample; so are the next three *)
  mutable collecting : int;
  mutable searching : int;
  mutable parked : int;
  mutable forks : int option;  (** the total that it told last *)
}

type ring = {
  mutable worker : worker option;
  mutable depth : int;  (** how many phases are nested now *)
  mutable gap : bool;  (** whether events were lost since the last one *)
  mutable words : int;  (** words of the heap *)
}

type t = {
  started : int;
  mutable from_start : bool;  (** whether all that the program did is read *)
  mutable last : int;
  workers : (int, worker) Hashtbl.t;
  rings : (int, ring) Hashtbl.t;
  mutable forks : int option;  (** since the last sample *)
  mutable forks_since : int;  (** when the last sample with forks was taken *)
  mutable jobs : int;
  mutable steals : int;
  mutable parks : int;
  mutable wakes : int;
  mutable suspensions : int;
  mutable minor : int;
  mutable promoted : int;
  waits : Waits.t;
  mutable lost : int;
}

let create ~started =
  {
    started;
    from_start = true;
    last = started;
    workers = Hashtbl.create 16;
    rings = Hashtbl.create 16;
    forks = None;
    forks_since = started;
    jobs = 0;
    steals = 0;
    parks = 0;
    wakes = 0;
    suspensions = 0;
    minor = 0;
    promoted = 0;
    waits = Waits.create ();
    lost = 0;
  }

let ring t number =
  match Hashtbl.find_opt t.rings number with
  | Some ring -> ring
  | None ->
      let ring = { worker = None; depth = 0; gap = false; words = 0 } in
      Hashtbl.add t.rings number ring;
      ring

(* The pool of a worker that has not told its identity yet. *)
let unknown_pool = ""

let worker t number time =
  match Hashtbl.find_opt t.workers number with
  | Some worker -> worker
  | None ->
      let worker =
        {
          number;
          index = number;
          pool = unknown_pool;
          doing = Away;
          collects = false;
          since = time;
          running = 0;
          collecting = 0;
          searching = 0;
          parked = 0;
          forks = None;
        }
      in
      Hashtbl.add t.workers number worker;
      worker

(* An event may be read after a sample that was taken later than it. Then the sample has counted a little
   too much. *)
let count_until worker time =
  let length = max 0 (time - worker.since) in
  (match worker.doing with
  | Runs when worker.collects -> worker.collecting <- worker.collecting + length
  | Runs -> worker.running <- worker.running + length
  | Searches -> worker.searching <- worker.searching + length
  | Parks -> worker.parked <- worker.parked + length
  | Away -> ());
  worker.since <- max worker.since time

let changes worker time doing =
  count_until worker time;
  worker.doing <- doing

(* {1 What was read} *)

(* The ring, of which an event of this time is read: what was lost was before it. *)
let reading t number time =
  let ring = ring t number in
  if ring.gap then begin
    ring.gap <- false;
    Waits.doubt t.waits ~before:time
  end;
  ring

let seen t ~ring:number ~time who =
  let ring = reading t number time and worker = worker t who time in
  (match ring.worker with
  | Some before when before != worker ->
      (* Two threads of the domain take turns as workers, or another worker has taken over the domain. *)
      changes before time Away;
      before.collects <- false
  | _ -> ());
  ring.worker <- Some worker;
  worker.collects <- ring.depth > 0;
  worker

let step t ~ring ~time (s : Wire.step) =
  let worker = seen t ~ring ~time s.worker in
  t.jobs <- t.jobs + s.jobs;
  let doing =
    match s.move with
    | Runs { origin; _ } ->
        (match origin with Stolen _ -> t.steals <- t.steals + 1 | Own | Injector | Background -> ());
        Runs
    | Searches -> Searches
    | Parks ->
        t.parks <- t.parks + 1;
        Parks
    | Unparked -> Searches
  in
  changes worker time doing

(* Of a program that was not read from its start, the first total of a worker says nothing. *)
let forks t (worker : worker) total =
  let before = match worker.forks with None when t.from_start -> Some 0 | before -> before in
  let add before = t.forks <- Some (max 0 (total - before) + Option.value ~default:0 t.forks) in
  Option.iter add before;
  worker.forks <- Some total

let known (worker : worker) index pool =
  worker.index <- index;
  worker.pool <- pool

let note t ~ring:number ~time (note : Wire.note) =
  match note with
  | Joined n ->
      let worker = seen t ~ring:number ~time n.worker in
      known worker n.index n.pool;
      changes worker time Searches;
      forks t worker n.forks
  | Seen n ->
      let worker = seen t ~ring:number ~time n.worker in
      known worker n.index n.pool;
      forks t worker n.forks
  | Left n ->
      let worker = seen t ~ring:number ~time n.worker in
      known worker n.index n.pool;
      t.jobs <- t.jobs + n.jobs;
      changes worker time Away;
      (ring t number).worker <- None;
      forks t worker n.forks
  | Wait_begins { id; what; about; name; _ } ->
      ignore (reading t number time : ring);
      t.suspensions <- t.suspensions + 1;
      Waits.begins t.waits ~time ~id ~what ~about ~name
  | Fiber _ | Woken _ | Call_begins _ | Region_begins _ | Instant _ | Block _ | Batch _ | Cancelled _
  | Stood _ | Dumped _ | Unknown ->
      ()

let wake t = t.wakes <- t.wakes + 1

let ended t ~ring ~time (span : Wire.span) id =
  (match span with Wait -> Waits.ends t.waits ~time ~id | Call | Region -> ());
  ignore (reading t ring time : ring)

let swept t = Waits.swept t.waits
let waits t ~most = Waits.all t.waits ~now:t.last ~most

(* The runtime also reports waits of its own threads as phases. *)
let is_collection name = name <> "domain_condition_wait"

let phase_begins t ~ring:number ~time name =
  let ring = reading t number time in
  if is_collection name then (
    ring.depth <- ring.depth + 1;
    if number = 0 && name = "minor" then t.minor <- t.minor + 1;
    if ring.depth = 1 then
      Option.iter
        (fun worker ->
          count_until worker time;
          worker.collects <- true)
        ring.worker)

let phase_ends t ~ring:number ~time name =
  let ring = reading t number time in
  if is_collection name then (
    ring.depth <- max 0 (ring.depth - 1);
    if ring.depth = 0 then
      Option.iter
        (fun worker ->
          count_until worker time;
          worker.collects <- false)
        ring.worker)

let promoted t words = t.promoted <- t.promoted + words
let heap t ~ring:number words = (ring t number).words <- words

let lost t ~ring:number words =
  let ring = ring t number in
  t.lost <- t.lost + words;
  ring.gap <- true;
  (* The lost events may contain ends of phases. *)
  ring.depth <- 0;
  Option.iter (fun worker -> worker.collects <- false) ring.worker

let domain_ends t ~ring:number ~time =
  let ring = reading t number time in
  Option.iter (fun worker -> changes worker time Away) ring.worker;
  ring.worker <- None;
  ring.depth <- 0;
  ring.words <- 0

(* {1 Samples} *)

let name several worker =
  if worker.pool = unknown_pool then Printf.sprintf "worker number %d" worker.number
  else if several then Printf.sprintf "%s %d" worker.pool worker.index
  else Printf.sprintf "worker %d" worker.index

let of_worker several span worker : Sample.worker =
  let share ns = Float.min 1. (float_of_int ns /. float_of_int (max 1 span)) in
  let sample =
    {
      Sample.number = worker.number;
      name = name several worker;
      running = share worker.running;
      collecting = share worker.collecting;
      searching = share worker.searching;
      parked = share worker.parked;
    }
  in
  worker.running <- 0;
  worker.collecting <- 0;
  worker.searching <- 0;
  worker.parked <- 0;
  sample

(* So many places of waits are in a sample: more than the view shows. *)
let most_waiting = 10

let sample t ~now : Sample.t =
  Hashtbl.iter (fun _ worker -> count_until worker now) t.workers;
  let span = now - t.last in
  let workers = List.of_seq (Hashtbl.to_seq_values t.workers) in
  let workers =
    List.sort (fun a b -> compare (a.pool, a.index, a.number) (b.pool, b.index, b.number)) workers
  in
  let pools = List.filter (( <> ) unknown_pool) (List.map (fun w -> w.pool) workers) in
  let several = List.length (List.sort_uniq compare pools) > 1 in
  let seconds = Float.max 1e-9 (float_of_int span *. 1e-9) in
  let rate n = float_of_int n /. seconds in
  let forks =
    (* Workers tell their forks seldom, so the rate counts from the last time they did. *)
    Option.map
      (fun n -> float_of_int n /. Float.max 1e-9 (float_of_int (now - t.forks_since) *. 1e-9))
      t.forks
  in
  if forks <> None then t.forks_since <- now;
  let sample =
    {
      Sample.seconds = float_of_int (now - t.started) *. 1e-9;
      span = seconds;
      workers = List.map (of_worker several span) workers;
      forks;
      jobs = rate t.jobs;
      steals = rate t.steals;
      parks = rate t.parks;
      wakes = rate t.wakes;
      suspensions = rate t.suspensions;
      minor = rate t.minor;
      promoted = rate t.promoted;
      heap = Hashtbl.fold (fun _ ring sum -> sum +. float_of_int ring.words) t.rings 0.;
      waiting = Waits.going_on t.waits ~now ~most:most_waiting;
      lost = t.lost;
    }
  in
  t.last <- now;
  t.forks <- None;
  t.jobs <- 0;
  t.steals <- 0;
  t.parks <- 0;
  t.wakes <- 0;
  t.suspensions <- 0;
  t.minor <- 0;
  t.promoted <- 0;
  sample

let go_live t ~now =
  ignore (sample t ~now : Sample.t);
  t.from_start <- false;
  t.forks_since <- now;
  Hashtbl.iter (fun _ (worker : worker) -> worker.forks <- None) t.workers;
  t.lost <- 0;
  Waits.forget_ended t.waits
