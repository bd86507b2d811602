type place = {
  number : int;
  name : string;
  parent : place option;
  work : int Atomic.t;
  mutable calls : int;
  mutable span : int;
  mutable burdened : int;
  inside : (string, place) Hashtbl.t;
}

module Path = Map.Make (Int)

type path = int Path.t
type clock = { now : unit -> int; is_real : bool }

(* The end of the longest chain so far. [path] is without what was done since [since] in the present place. *)
type point = { at : int; burdened : int; path : path }

type session = {
  clock : clock;
  burden : int;
  assumed : int;
  lock : Mutex.t; (* guards the places' children and figures, and the tip *)
  root : place;
  graph : Task_graph.t;
  main : Task_graph.task;
  mutable tip : point; (* the latest end of a call from outside *)
  mutable per_piece : int;
  subtracted : int Atomic.t;
}

type t = {
  session : session;
  task : Task_graph.task;
  mutable point : point; (* [at] and [burdened] when the piece began *)
  mutable since : int; (* [at] when the place was entered *)
  mutable place : place;
  mutable unsaid : int; (* work not yet told to the place *)
  mutable began : int; (* by the clock, the piece under way *)
  mutable paused : int;
  mutable ended : bool;
  mutable origin : origin;
  mutable met : point; (* of the last settling that this strand met *)
  number : int; (* of tasks, from their forker *)
  mutable made : int; (* tasks so far *)
}

and origin = Unknown | Forked of { by : t; mark : Task_graph.mark } | Joined_by of t

(* --- nothing --- *)

let numbers = Atomic.make 0

let place name parent =
  let number = Atomic.fetch_and_add numbers 1 in
  { number; name; parent; work = Atomic.make 0; calls = 0; span = 0; burdened = 0; inside = Hashtbl.create 1 }

let nowhere = place "" None
let origin_point = { at = 0; burdened = 0; path = Path.empty }
let ticks = { now = (fun () -> Weft_platform.Tsc.now ()); is_real = true }

let make_session ~clock ~burden ~grain ~workers =
  {
    clock;
    burden;
    assumed = workers;
    lock = Mutex.create ();
    root = place "" None;
    graph = Task_graph.create ~grain;
    main = Task_graph.task ();
    tip = origin_point;
    per_piece = 0;
    subtracted = Atomic.make 0;
  }

let make ?(number = 0) session ~task ~point ~since ~place =
  {
    session;
    task;
    point;
    since;
    place;
    unsaid = 0;
    began = 0;
    paused = 0;
    ended = false;
    origin = Unknown;
    met = origin_point;
    number;
    made = 0;
  }

let none =
  let session = make_session ~clock:{ now = (fun () -> 0); is_real = false } ~burden:0 ~grain:0 ~workers:0 in
  make session ~task:session.main ~point:origin_point ~since:0 ~place:nowhere

(* --- workers --- *)

type slot = {
  of_session : session;
  mutable current : t;
  mutable last : t; (* a strand that has ended here *)
  mutable thread : int;
  mutable thread_clock : Thread_clock.t;
  reading : Thread_clock.reading;
}

let profiling = ref false

(* By the number of the worker's deque. Workers beyond are not profiled. *)
let slots : slot option array = Array.make 1024 None

let slot deque =
  let id = Deque_memory.id deque in
  if id >= 0 && id < Array.length slots then Array.unsafe_get slots id else None

let here () = if !profiling then slot (Deque_memory.current ()) else None

let workers deque =
  if !profiling then match slot deque with Some s -> s.of_session.assumed | None -> 0 else 0

let is_profiled deque = !profiling && Option.is_some (slot deque)

let start ~clock ~burden ~grain ~workers =
  profiling := true;
  make_session ~clock ~burden ~grain ~workers:(max 2 workers)

let of_new_pool = ref (fun () -> None)
let session_here () = match here () with Some slot -> Some slot.of_session | None -> !of_new_pool ()

let attach deque session =
  let id = Deque_memory.id deque in
  if id >= 0 && id < Array.length slots then begin
    slots.(id) <-
      Some
        {
          of_session = session;
          current = none;
          last = none;
          thread = -1;
          thread_clock = Thread_clock.none;
          reading = { ran = 0; waited = 0 };
        };
    Deque_memory.hold deque
  end

let detach deque =
  match slot deque with
  | None -> ()
  | Some s ->
      Thread_clock.close s.thread_clock;
      slots.(Deque_memory.id deque) <- None

let set_overhead session ~per_piece = session.per_piece <- per_piece
let overhead session = Atomic.get session.subtracted

(* --- pieces --- *)

(* Ticks. A piece this long may have been interrupted, and is worth a microsecond to ask. *)
let long = 30_000

(* How long this worker's thread has waited for a processor since it was last asked. Asked before this
   piece too, since earlier waits would count as part of it. *)
let know_thread slot self =
  Thread_clock.close slot.thread_clock;
  slot.thread_clock <- Thread_clock.of_self ();
  slot.thread <- self;
  ignore (Thread_clock.read slot.thread_clock slot.reading)

let waited slot =
  let self = Thread.id (Thread.self ()) in
  if slot.thread <> self then begin
    know_thread slot self;
    0
  end
  else
    let before = slot.reading.waited in
    if Thread_clock.read slot.thread_clock slot.reading then slot.reading.waited - before else 0

(* The piece under way is over. *)
let stop slot s =
  let session = s.session in
  let raw = session.clock.now () - s.began in
  let subtract =
    if not session.clock.is_real then 0
    else min raw (session.per_piece + if raw > long then waited slot else 0)
  in
  let ran = raw - subtract in
  if session.per_piece > 0 then ignore (Atomic.fetch_and_add session.subtracted (min raw session.per_piece));
  s.paused <- 0;
  slot.last <- none;
  if ran > 0 then begin
    s.point <- { s.point with at = s.point.at + ran; burdened = s.point.burdened + ran };
    s.unsaid <- s.unsaid + ran;
    Task_graph.run s.task ran
  end

let go slot s =
  slot.current <- s;
  if slot.thread < 0 && slot.of_session.clock.is_real then know_thread slot (Thread.id (Thread.self ()));
  if s != none then s.began <- s.session.clock.now ()

(* --- places --- *)

let say s =
  if s.unsaid > 0 then begin
    ignore (Atomic.fetch_and_add s.place.work s.unsaid);
    s.unsaid <- 0
  end

let add_to path (place : place) ticks =
  Path.update place.number (fun before -> Some (Option.value before ~default:0 + ticks)) path

let path_of s =
  let here = s.point.at - s.since in
  if here > 0 then add_to s.point.path s.place here else s.point.path

let point_of s = { s.point with path = path_of s }

(* Goes on at the later of two points. *)
let later s (p : point) =
  let burdened = max s.point.burdened p.burdened in
  if p.at > s.point.at then begin
    s.point <- { p with burdened };
    s.since <- p.at
  end
  else s.point <- { s.point with burdened }

(* --- results --- *)

let span session = session.tip.at
let burdened session = session.tip.burdened
let path session = session.tip.path
