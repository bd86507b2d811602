type place = {
  name : string;
  parent : place option;
  work : int Atomic.t;
  mutable calls : int;
  mutable span : int;
  mutable burdened : int;
  mutable inside : place list;
}

type path = (place * int) list
type clock = { now : unit -> int; is_real : bool }

(* How far the longest chain has come. [path] without what was done since [since] in the present place. *)
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
  mutable met : point; (* of the last settling that it met *)
  number : int; (* of tasks, from their forker *)
  mutable made : int; (* tasks so far *)
}

and origin = Unknown | Forked of { by : t; mark : Task_graph.mark } | Joined_by of t

type mark = Task_graph.mark

(* --- nothing --- *)

let place name parent = { name; parent; work = Atomic.make 0; calls = 0; span = 0; burdened = 0; inside = [] }
let nowhere = place "" None
let origin_point = { at = 0; burdened = 0; path = [] }
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
  mutable last : t; (* that has ended here *)
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

(* Ticks: from here on a piece may have been interrupted for long enough to be worth a microsecond's question. *)
let long = 30_000

(* What the thread of this worker has waited for a processor since it was last asked: shorter waits before this piece would have
   made theirs long. *)
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

let rec add_to path place ticks =
  match path with
  | (p, n) :: rest when p == place -> (p, n + ticks) :: rest
  | other :: rest -> other :: add_to rest place ticks
  | [] -> [ (place, ticks) ]

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

(* --- forks --- *)

let child_of ?number s ~place =
  let session = s.session in
  let point = { s.point with burdened = s.point.burdened + session.burden } in
  make ?number session ~task:(Task_graph.task ()) ~point ~since:s.since ~place

let unmarked = Task_graph.fork none.session.graph none.task none.task

let fork () =
  match here () with
  | None -> (none, unmarked)
  | Some slot when slot.current == none -> (none, unmarked)
  | Some slot ->
      let s = slot.current in
      stop slot s;
      let child = child_of s ~place:s.place in
      let mark = Task_graph.fork s.session.graph s.task child.task in
      go slot s;
      (child, mark)

(* Another strand runs on this worker: in the same fiber, or in a new one. *)
let enter s =
  match here () with
  | None -> none
  | Some slot ->
      let before = slot.current in
      if before != none then stop slot before;
      go slot s;
      before

let leave s before =
  match here () with
  | None -> ()
  | Some slot ->
      stop slot s;
      s.ended <- true;
      slot.last <- s;
      go slot before

let as_strand s f =
  let before = enter s in
  match f () with
  | v ->
      leave s before;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      leave s before;
      Printexc.raise_with_backtrace exn backtrace

let right s g = if s == none then g else fun () -> as_strand s g

let close s child mark =
  if child.place == s.place then begin
    s.unsaid <- s.unsaid + child.unsaid;
    child.unsaid <- 0
  end
  else say child;
  Task_graph.close s.session.graph s.task mark child.task ~own:true

let join child mark =
  if child != none then
    match here () with
    | None -> ()
    | Some slot ->
        let s = slot.current in
        if s != none then begin
          stop slot s;
          (* Of equal strands, in the same place with the same beginning, there is no need to build a path. *)
          if child.ended then
            if child.place == s.place && child.since = s.since && child.point.path == s.point.path then
              s.point <-
                {
                  s.point with
                  at = max s.point.at child.point.at;
                  burdened = max s.point.burdened child.point.burdened;
                }
            else later s (point_of child);
          close s child mark;
          go slot s
        end

(* --- tasks --- *)

let begin_call session =
  Mutex.protect session.lock @@ fun () ->
  let point = session.tip in
  let s = make session ~task:(Task_graph.task ()) ~point ~since:point.at ~place:session.root in
  ignore (Task_graph.fork session.graph session.main s.task : Task_graph.mark);
  s

let end_call s (began : point) =
  let session = s.session in
  say s;
  Mutex.protect session.lock @@ fun () ->
  let p = point_of s in
  Task_graph.join session.graph session.main s.task;
  session.root.calls <- session.root.calls + 1;
  let burdened = max session.tip.burdened p.burdened in
  session.root.span <- session.root.span + (p.at - began.at);
  session.root.burdened <- session.root.burdened + (p.burdened - began.burdened);
  session.tip <- (if p.at > session.tip.at then { p with burdened } else { session.tip with burdened })

let call session f () =
  let s = begin_call session in
  let began = s.point in
  match as_strand s f with
  | v ->
      end_call s began;
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      end_call s began;
      Printexc.raise_with_backtrace exn backtrace

let task_of slot f =
  let s = slot.current in
  stop slot s;
  s.made <- s.made + 1;
  let child = child_of s ~number:s.made ~place:s.place in
  child.origin <- Forked { by = s; mark = Task_graph.fork s.session.graph s.task child.task };
  go slot s;
  (* What nobody awaits counts all the same. *)
  fun () ->
    match as_strand child f with
    | v ->
        say child;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        say child;
        Printexc.raise_with_backtrace exn backtrace

let task deque f =
  if not !profiling then f
  else
    match (slot deque, here ()) with
    | None, _ -> f
    | Some there, Some slot when slot.current != none && slot.of_session == there.of_session -> task_of slot f
    | Some { of_session; _ }, _ -> call of_session f

(* --- settling and meeting --- *)

type settling =
  | Ended of t  (** a task *)
  | Posted of { point : point; event : Task_graph.event }
  | Outside of int  (** by the clock of the waiter's session, which is the real one *)

exception Settled of { created : bool; settling : settling }

let settling_here ~created =
  match here () with
  | Some slot when (not created) && slot.last != none ->
      let s = slot.last in
      slot.last <- none;
      Ended s
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      let event = Task_graph.post s.session.graph s.task in
      go slot s;
      Posted { point = point_of s; event }
  | _ -> Outside (Weft_platform.Tsc.now ())

let settled ~created =
  let settled = Settled { created; settling = settling_here ~created } in
  fun () -> raise_notrace settled

let asked run =
  match run () with _ -> None | exception Settled s -> Some (s.created, s.settling) | exception _ -> None

let is_created run = match asked run with Some (created, _) -> created | None -> false

let join_task s child =
  match child.origin with
  | Forked { by; mark; _ } when by == s && child.ended ->
      child.origin <- Joined_by s;
      Task_graph.close s.session.graph s.task mark child.task ~own:true
  | Joined_by other when other == s -> ()
  | _ -> Task_graph.join s.session.graph s.task child.task

let meet_task slot s child =
  stop slot s;
  let point = point_of child in
  if s.met != child.point then begin
    s.met <- child.point;
    later s point;
    join_task s child
  end;
  go slot s

let meet_settling slot s = function
  | Ended child -> if child.session == s.session then meet_task slot s child
  | Posted { point; event } ->
      if s.met != point then begin
        stop slot s;
        s.met <- point;
        later s point;
        Task_graph.wait s.session.graph s.task event;
        go slot s
      end
  | Outside time ->
      (* It has waited that long for something that is no strand's. *)
      let idle = time - s.paused in
      if s.session.clock.is_real && s.paused > 0 && idle > 0 then begin
        stop slot s;
        s.paused <- 0;
        s.point <- { s.point with at = s.point.at + idle; burdened = s.point.burdened + idle };
        Task_graph.idle s.session.graph s.task idle;
        go slot s
      end

let meet run =
  match here () with
  | Some slot when slot.current != none ->
      Option.iter (fun (_, settling) -> meet_settling slot slot.current settling) (asked run)
  | _ -> ()

(* --- suspending --- *)

let pause () =
  match here () with
  | None -> none
  | Some slot ->
      let s = slot.current in
      if s != none then begin
        stop slot s;
        s.paused <- s.session.clock.now ()
      end;
      slot.current <- none;
      s

let continue s = if s != none then match here () with None -> () | Some slot -> go slot s

let aside f =
  let s = pause () in
  Fun.protect ~finally:(fun () -> continue s) f

type gathering = (t * point) list Atomic.t

let gathering () = Atomic.make []

let rec note g entry =
  let before = Atomic.get g in
  if not (Atomic.compare_and_set g before (entry :: before)) then note g entry

let gather g =
  match here () with
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      note g (s, point_of s);
      go slot s
  | _ -> ()

(* The youngest first: forks are closed in the opposite order. *)
let after g =
  match here () with
  | Some slot when slot.current != none ->
      let s = slot.current in
      stop slot s;
      let one (child, point) =
        if child != s && child.session == s.session then begin
          later s point;
          join_task s child
        end
      in
      let youngest_first = List.sort (fun (a, _) (b, _) -> Int.compare b.number a.number) (Atomic.get g) in
      List.iter one youngest_first;
      go slot s
  | _ -> ()

(* --- regions --- *)

let rec around name place =
  if String.equal place.name name && Option.is_some place.parent then Some place
  else Option.bind place.parent (around name)

let inside session name parent =
  Mutex.protect session.lock @@ fun () ->
  match List.find_opt (fun p -> String.equal p.name name) parent.inside with
  | Some p -> p
  | None ->
      let p = place name (Some parent) in
      parent.inside <- p :: parent.inside;
      p

let move s place =
  say s;
  s.point <- point_of s;
  s.since <- s.point.at;
  s.place <- place

let in_region slot s name f =
  stop slot s;
  let outer = s.place in
  (* A region inside itself is one. *)
  let again, place =
    match around name outer with Some p -> (true, p) | None -> (false, inside s.session name outer)
  in
  move s place;
  let began = s.point in
  let finish () =
    match here () with
    | Some slot when slot.current == s ->
        stop slot s;
        move s outer;
        if not again then
          Mutex.protect s.session.lock (fun () ->
              place.calls <- place.calls + 1;
              place.span <- place.span + (s.point.at - began.at);
              place.burdened <- place.burdened + (s.point.burdened - began.burdened));
        go slot s
    | _ -> ()
  in
  go slot s;
  Fun.protect ~finally:finish f

let region name f =
  match here () with Some slot when slot.current != none -> in_region slot slot.current name f | _ -> f ()

(* --- results --- *)

let root session = session.root
let assumed session = session.assumed
let span session = session.tip.at
let burdened session = session.tip.burdened
let path session = session.tip.path
let main session = session.main
let graph session = session.graph
