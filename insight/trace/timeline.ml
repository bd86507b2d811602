module Wire = Weft_trace.Wire

type t = {
  telling : Telling.t;
  rows : Rows.t;
  spans : Spans.t;
  gaps : Gaps.t;
  fibers : Fibers.t;
  phases : (int, (string * int) list) Hashtbl.t; (* for each ring, the open phases, the innermost first *)
  outer : (int, (int * int) list) Hashtbl.t; (* for each ring, its last outermost phases *)
  mutable live : bool;
  mutable of_scheduler : int;
  mutable unmatched : int;
  mutable last_time : int; (* the time of the last event in the rings *)
  mutable last_added : int;
}

let create ?line ~from ~live hand_on =
  let telling = Telling.create ~from hand_on and gaps = Gaps.create () in
  {
    telling;
    rows = Rows.create telling;
    spans = Spans.create telling gaps ~live;
    gaps;
    fibers = Fibers.create ?line ();
    phases = Hashtbl.create 16;
    outer = Hashtbl.create 16;
    live;
    of_scheduler = 0;
    unmatched = 0;
    last_time = from;
    last_added = from;
  }

let note_unmatched t n = if t.live then t.unmatched <- t.unmatched + n

let add t (event : Event.t) =
  if event.time > t.last_added then t.last_added <- event.time;
  Telling.add t.telling event

let reading t number time ~words =
  if time > t.last_time then t.last_time <- time;
  if Gaps.is_open t.gaps then Option.iter (Gaps.tell t.telling) (Gaps.read t.gaps ~ring:number time);
  Rows.reading t.rows number time ~words

let reading_weft t number time ~words =
  t.of_scheduler <- t.of_scheduler + 1;
  reading t number time ~words

(* --- what workers do --- *)

let step t number time (s : Wire.step) =
  let r = reading_weft t number time ~words:3 in
  let lane = Rows.lane t.rows r ~worker:s.worker time in
  let change = Rows.change t.rows lane time ~jobs:s.jobs in
  match s.move with
  | Searches -> change (Searches { at_hand = s.at_hand })
  | Parks -> change Parks
  | Unparked -> change Nothing
  | Runs { origin; resumed } -> (
      change (Runs { origin; resumed });
      match origin with
      | Stolen victim ->
          let arguments = Rows.of_worker t.rows s.worker @ [ Rows.victim t.rows victim ] in
          Telling.emit t.telling ~track:lane.track ~time ~arguments Steal "steal" Instant
      | Own | Injector | Background -> ())

(* A worker tells its identity. *)
let seen t number time ~pool ~worker ~index ~forks event =
  let r = reading_weft t number time ~words:(4 + (String.length pool / 8)) in
  Rows.know t.rows ~worker ~index ~pool;
  let lane = Rows.lane t.rows r ~worker time in
  let tell ~arguments = Telling.emit t.telling ~track:lane.track ~time ~arguments in
  Option.iter
    (fun name ->
      let arguments = Rows.of_worker t.rows worker @ [ ("number", Event.Int worker) ] in
      tell ~arguments Worker name Instant)
    event;
  tell ~arguments:[ ("forks", Int forks) ] Counter "forks" (Counter worker);
  lane

(* --- waits, calls, regions --- *)

let kind_of : Wire.span -> Spans.kind = function Wait -> Wait | Call -> Call | Region -> Region

let ended t number time span id =
  ignore (reading_weft t number time ~words:3);
  Spans.ends t.spans (kind_of span) id ~track:number time

let of_fiber key n = if n > 0 then [ (key, Event.Int n) ] else []
let locks = [ "Weft.Mutex."; "Weft.Poisoning_mutex."; "Weft.Rwlock."; "Weft.Semaphore."; "Weft.Condition." ]
let channels = [ "Weft.Chan."; "Weft.Select."; "Weft.Mvar." ]

let category_of_wait what : Category.t =
  let is_of = List.exists (fun prefix -> String.starts_with ~prefix what) in
  if is_of locks then Lock else if is_of channels then Channel else Suspend

let at line = match line with Some line -> [ ("at", Event.Text line) ] | None -> []

(* --- blocks of loops --- *)

let outer_phases t number = Option.value (Hashtbl.find_opt t.outer number) ~default:[]

(* A block's times come from another clock than the others and may be wrong by some nanoseconds. So a time
   inside one of [phases] is moved to the nearer end of that phase. *)
let beside phases time =
  match List.find_opt (fun (began, ended) -> began < time && time < ended) phases with
  | None -> time
  | Some (began, ended) -> if time - began < ended - time then began else ended

let block t (r : Rows.ring) ~first ~last ~began ~ended ~alone ~fiber ~place =
  let line = Fibers.line t.fibers place in
  Fibers.suggest t.fibers fiber line;
  let arguments =
    [ ("first", Event.Int first); ("last", Event.Int last) ] @ at line @ of_fiber "fiber" fiber
  in
  match Rows.running r with
  | Some lane when alone ->
      let phases = outer_phases t r.number in
      let ended = beside phases (min r.last ended) in
      let began = beside phases (min ended began) in
      let began = Rows.add_block lane ~began:(max began lane.since) ~ended in
      Telling.emit t.telling ~track:lane.track ~time:began ~arguments Loop "block"
        (Complete (max 0 (ended - began)))
  | _ -> Spans.whole t.spans ~track:r.number ~began ~ended:(max began ended) ~arguments Loop "block"

(* --- threads that stood still --- *)

(* The kernel may count more than has passed by the clock: a virtual machine may be stopped. *)
let stood t (r : Rows.ring) time ~worker ~blocked ~waited ~passed ~fiber =
  let passed = max passed (blocked + waited) in
  let lane = Rows.running_of r ~worker in
  let since, track =
    match lane with
    | Some lane -> (max lane.since (time - passed), lane.track)
    | None -> (time - passed, r.number)
  in
  let tell name key ns =
    if ns > 0 then
      Spans.whole t.spans ~track ~began:(min time since) ~ended:time
        ~arguments:(Rows.of_worker t.rows worker @ [ (key, Event.Int ns) ] @ of_fiber "fiber" fiber)
        Blocked name
  in
  if Option.is_some lane then tell "blocked" "blocked_ns" blocked;
  tell Category.no_processor "waited_ns" waited

(* --- notes --- *)

let note t number time (n : Wire.note) =
  let reading text = reading_weft t number time ~words:(4 + (String.length text / 8)) in
  let begins kind id category ?(arguments = []) name =
    ignore (reading name);
    Spans.begins t.spans kind id { category; name; began = time; track = number; arguments }
  and instant category ?arguments name =
    ignore (reading name);
    Telling.emit t.telling ~track:number ~time ?arguments category name Instant
  in
  match n with
  | Joined { pool; worker; index; forks; returned } ->
      let event = if returned then "return" else "join" in
      ignore (seen t number time ~pool ~worker ~index ~forks (Some event))
  | Seen { pool; worker; index; forks } -> ignore (seen t number time ~pool ~worker ~index ~forks None)
  | Left { pool; worker; index; forks; retired; jobs } ->
      let event = if retired then "retire" else "leave" in
      let lane = seen t number time ~pool ~worker ~index ~forks (Some event) in
      Rows.change t.rows lane time ~jobs Nothing;
      Rows.leave lane
  | Fiber { fiber; parent; place; name } ->
      ignore (reading name);
      Fibers.note t.fibers fiber ~parent ~name ~place
  | Wait_begins { id; about; fiber; place; what; name } ->
      let named = if name = "" then [] else [ ("named", Event.Text name) ] in
      let arguments =
        (if about > 0 then [ ("object", Event.Int about) ] else [])
        @ named @ of_fiber "fiber" fiber
        @ at (Fibers.line t.fibers place)
      in
      begins Wait id (category_of_wait what) ~arguments what
  | Woken { wait; by } ->
      ignore (reading "");
      Telling.emit t.telling ~track:number ~time ~arguments:(of_fiber "by" by) Wake "wake" (Flow_out wait)
  | Call_begins { id } -> begins Call id Blocking "blocking call"
  | Region_begins { id; fiber; name } -> begins Region id Region ~arguments:(of_fiber "fiber" fiber) name
  | Instant name -> instant Region name
  | Cancelled exn -> instant Cancel ~arguments:[ ("exception", Text exn) ] "cancel"
  | Block { first; last; began; ended; alone; fiber; place } ->
      block t (reading "") ~first ~last ~began ~ended ~alone ~fiber ~place
  | Batch { structure; size; parallel; nanoseconds } ->
      ignore (reading "");
      let arguments =
        [ ("structure", Event.Int structure); ("size", Event.Int size); ("parallel", Event.Bool parallel) ]
      in
      Spans.whole t.spans ~track:number ~began:(time - max 0 nanoseconds) ~ended:time ~arguments Batch "batch"
  | Stood { worker; blocked; waited; passed; fiber } ->
      stood t (reading "") time ~worker ~blocked ~waited ~passed ~fiber
  | Dumped { program; _ } ->
      ignore (reading program);
      Telling.emit t.telling ~track:number ~time Region "Weft.Trace.dump_last" Instant
  | Unknown ->
      let r = reading "" in
      if t.live || time >= Telling.from t.telling then
        Gaps.tell t.telling
          { ring = number; from = r.last; until = r.last; words = 0; events = Rows.losing r ~words:0 }

let wake t number time =
  let r = reading_weft t number time ~words:2 in
  let arguments = Rows.pool_of (Rows.running r) t.rows in
  Telling.emit t.telling ~track:number ~time ~arguments Park "wake" Instant

(* --- the runtime --- *)

let phases t number = Option.value (Hashtbl.find_opt t.phases number) ~default:[]

let phase_begins t number time name =
  ignore (reading t number time ~words:2);
  Hashtbl.replace t.phases number ((name, time) :: phases t number)

(* Removes the innermost phase of that name: phases of two threads of a domain need not be nested. *)
let rec without name = function
  | [] -> None
  | (other, began) :: rest when String.equal other name -> Some (began, rest)
  | phase :: rest -> Option.map (fun (began, rest) -> (began, phase :: rest)) (without name rest)

let tell_phase ?arguments t number time (name, began) =
  Telling.emit t.telling ~track:number ~time:began ?arguments Gc name (Complete (max 0 (time - began)))

let most_outer = 32

let keep_outer t number phase =
  Hashtbl.replace t.outer number
    (phase :: List.filteri (fun i _ -> i < most_outer - 1) (outer_phases t number))

let phase_ends t number time name =
  ignore (reading t number time ~words:2);
  match without name (phases t number) with
  | None -> note_unmatched t 1
  | Some (began, rest) ->
      Hashtbl.replace t.phases number rest;
      if rest = [] then keep_outer t number (began, time);
      tell_phase t number time (name, began)

let counter t number time name ~unit_name value =
  ignore (reading t number time ~words:3);
  Telling.emit t.telling ~track:number ~time ~arguments:[ (unit_name, Int value) ] Gc name (Counter number)

let domain_event name t number time =
  ignore (reading t number time ~words:3);
  Telling.emit t.telling ~track:number ~time Worker name Instant

let domain_begins = domain_event "domain spawn"
let domain_ends = domain_event "domain end"

(* --- gaps and ends --- *)

let interrupt t (r : Rows.ring) time =
  Rows.interrupt t.rows r time;
  let arguments = [ Telling.unfinished ] in
  List.iter (tell_phase t r.number time ~arguments) (phases t r.number);
  Hashtbl.remove t.phases r.number

let lost t number words =
  let r = Rows.ring t.rows number in
  interrupt t r r.last;
  if t.live then Gaps.lost t.gaps ~ring:number ~from:r.last ~words ~events:(Rows.losing r ~words)

(* Nothing more will be read of any ring. *)
let damaged t =
  let stops (r : Rows.ring) =
    interrupt t r r.last;
    Gaps.lost t.gaps ~ring:r.number ~from:r.last ~words:0 ~events:0
  in
  List.iter stops (Rows.rings t.rows)

let swept t = note_unmatched t (Spans.swept t.spans)
let is_live t = t.live

let go_live t =
  t.live <- true;
  Spans.go_live t.spans

let end_time t = max t.last_time t.last_added

let finish t =
  swept t;
  swept t;
  List.iter (Gaps.tell t.telling) (Gaps.finish t.gaps (end_time t));
  List.iter (fun r -> interrupt t r t.last_time) (Rows.rings t.rows);
  Spans.finish t.spans t.last_time

(* --- what came of it --- *)

let events t = Telling.events t.telling
let scheduler_events t = t.of_scheduler
let unmatched t = t.unmatched
let last_time t = t.last_time
let rings t = List.filter (fun (r : Rows.ring) -> r.read > 0) (Rows.rings t.rows)
let read t = List.map (fun (r : Rows.ring) -> (r.number, r.read)) (rings t)

let losses t =
  List.filter_map
    (fun (r : Rows.ring) -> if r.lost.events > 0 then Some (r.number, r.lost) else None)
    (Rows.rings t.rows)

let workers t = Rows.workers t.rows
let fibers t = Fibers.all t.fibers
let tracks t = Rows.tracks t.rows
