module Wire = Weft_trace.Wire

type doing = Nothing | Runs of { origin : Wire.origin; resumed : bool } | Searches | Parks

(* A row of a ring: of the worker that is in its domain, or of the second one. *)
type lane = {
  track : int;
  mutable worker : int;  (** -1: none *)
  mutable doing : doing;
  mutable since : int;
  mutable block : int * int;  (** the last block of a loop that was told *)
}

type ring = {
  number : int;
  mutable lanes : lane list;
  mutable phases : (string * int) list;  (** that have begun, the innermost first *)
  mutable last : int;  (** time *)
  mutable words : int;  (** read, as far as that is known *)
  mutable read : int;
  mutable lost_words : int;
  mutable lost_events : int;
}

type kind = Wait | Call | Region

type span = {
  category : Event.category;
  name : string;
  began : int;
  at : int;  (** track *)
  arguments : (string * Event.argument) list;
}

type t = {
  from : int;
  hand_on : Event.t -> unit;
  rings : (int, ring) Hashtbl.t;
  open_spans : (kind * int, span) Hashtbl.t;
  mutable early : (kind * int * int * int) list;
      (** ends whose beginnings are still to be read: id, track, time *)
  mutable earlier : (kind * int * int * int) list;  (** those that were early at the last sweep *)
  known : (int, Event.worker) Hashtbl.t;
  names : (int, string) Hashtbl.t;  (** of tracks *)
  mutable live : bool;
  mutable next_id : int;
  mutable events : int;
  mutable of_scheduler : int;
  mutable unmatched : int;
  mutable last_time : int;
}

(* More beginnings than that are kept for losses alone. *)
let most_open = 1_000_000

let create ~from ~live hand_on =
  {
    from;
    hand_on;
    rings = Hashtbl.create 16;
    open_spans = Hashtbl.create 256;
    early = [];
    earlier = [];
    known = Hashtbl.create 16;
    names = Hashtbl.create 16;
    live;
    next_id = 0;
    events = 0;
    of_scheduler = 0;
    unmatched = 0;
    last_time = from;
  }

let ring t number =
  match Hashtbl.find_opt t.rings number with
  | Some r -> r
  | None ->
      let r =
        {
          number;
          lanes = [];
          phases = [];
          last = t.from;
          words = 0;
          read = 0;
          lost_words = 0;
          lost_events = 0;
        }
      in
      Hashtbl.add t.rings number r;
      r

(* Something of so many words was read. *)
let reading t number time words =
  let r = ring t number in
  r.read <- r.read + 1;
  r.words <- r.words + words;
  if time > r.last then r.last <- time;
  if time > t.last_time then t.last_time <- time;
  r

let reading_weft t number time words =
  t.of_scheduler <- t.of_scheduler + 1;
  reading t number time words

(* --- handing on --- *)

let hand_on t event =
  t.events <- t.events + 1;
  t.hand_on event

let emit t ~track ~time ?(arguments = []) category name (shape : Event.shape) =
  let event shape time = { Event.time; track; category; name; shape; arguments } in
  match shape with
  | Complete length when time < t.from ->
      let length = time + length - t.from in
      if length > 0 then hand_on t (event (Event.Complete length) t.from)
  | _ when time < t.from -> ()
  | _ -> hand_on t (event shape time)

let add t (event : Event.t) = hand_on t event

(* --- who is who --- *)

let pool_of t worker =
  match Hashtbl.find_opt t.known worker with Some { pool = Some pool; _ } -> Some pool | _ -> None

let index_of t worker = match Hashtbl.find_opt t.known worker with Some w -> w.index | None -> worker

let of_worker t worker : (string * Event.argument) list =
  let pool = match pool_of t worker with Some pool -> [ ("pool", Event.Text pool) ] | None -> [] in
  ("worker", Int (index_of t worker)) :: pool

let lane_of r worker = List.find_opt (fun lane -> lane.worker = worker) r.lanes

let name_track t lane worker =
  if not (Hashtbl.mem t.names lane.track) then
    match Hashtbl.find_opt t.known worker with
    | Some { pool = Some pool; index; _ } ->
        Hashtbl.replace t.names lane.track (Printf.sprintf "worker %d of %s" index pool)
    | _ -> ()

let rows_between = 1000

let new_lane r =
  let lane =
    {
      track = r.number + (rows_between * List.length r.lanes);
      worker = -1;
      doing = Nothing;
      since = r.last;
      block = (0, 0);
    }
  in
  r.lanes <- r.lanes @ [ lane ];
  lane

(* --- what workers do --- *)

let origin_name : Wire.origin -> string = function
  | Own -> "own"
  | Injector -> "injector"
  | Background -> "background"
  | Stolen _ -> "stolen"

let close ?(found = false) ?(jobs = 1) ?(unfinished = false) t lane time =
  let worker = lane.worker in
  let arguments more =
    of_worker t worker @ more @ if unfinished then [ ("unfinished", Event.Bool true) ] else []
  in
  let tell category name more =
    emit t ~track:lane.track ~time:lane.since ~arguments:(arguments more) category name
      (Complete (max 0 (time - lane.since)))
  in
  (match lane.doing with
  | Nothing -> ()
  | Searches -> tell Search "search" [ ("found", Bool found) ]
  | Parks -> tell Park "park" []
  | Runs { origin; resumed } ->
      let victim = match origin with Stolen v -> [ ("victim", Event.Int (index_of t v)) ] | _ -> [] in
      let resumed = if resumed then [ ("resumed", Event.Bool true) ] else [] in
      let jobs = if jobs > 1 then [ ("jobs", Event.Int jobs) ] else [] in
      tell Job "job" ((("from", Event.Text (origin_name origin)) :: victim) @ resumed @ jobs));
  lane.doing <- Nothing;
  lane.since <- time

let leave_lane t lane time =
  close t lane time ~unfinished:true;
  lane.worker <- -1

(* A worker is in one place: where it was before, it has gone unnoticed. *)
let lane_for t r worker time =
  match lane_of r worker with
  | Some lane -> lane
  | None ->
      Hashtbl.iter
        (fun _ other ->
          Option.iter (fun lane -> leave_lane t lane (min time other.last)) (lane_of other worker))
        t.rings;
      let lane =
        match List.find_opt (fun lane -> lane.worker < 0) r.lanes with
        | Some lane -> lane
        | None -> new_lane r
      in
      lane.worker <- worker;
      lane.doing <- Nothing;
      lane.since <- time;
      name_track t lane worker;
      lane

let step t number time (s : Wire.step) =
  let r = reading_weft t number time 3 in
  let lane = lane_for t r s.worker time in
  let found = match s.move with Runs _ -> true | _ -> false in
  close t lane time ~found ~jobs:(max 1 s.jobs);
  match s.move with
  | Searches -> lane.doing <- Searches
  | Parks -> lane.doing <- Parks
  | Unparked -> ()
  | Runs { origin; resumed } -> (
      lane.doing <- Runs { origin; resumed };
      match origin with
      | Stolen victim ->
          let arguments = of_worker t s.worker @ [ ("victim", Event.Int (index_of t victim)) ] in
          emit t ~track:lane.track ~time ~arguments Steal "steal" Instant
      | Own | Injector | Background -> ())

let know t worker index pool =
  if not (Hashtbl.mem t.known worker && pool_of t worker = Some pool) then
    Hashtbl.replace t.known worker { Event.number = worker; index; pool = Some pool }

let forks t lane time worker forks =
  emit t ~track:lane.track ~time ~arguments:[ ("forks", Int forks) ] Counter "forks" (Counter worker)

let comes t r time name worker =
  let lane = lane_for t r worker time in
  name_track t lane worker;
  Option.iter
    (fun name ->
      let arguments = of_worker t worker @ [ ("number", Event.Int worker) ] in
      emit t ~track:lane.track ~time ~arguments Worker name Instant)
    name;
  lane

(* --- spans with numbers --- *)

let has_prefix prefixes what = List.exists (fun prefix -> String.starts_with ~prefix what) prefixes
let locks = [ "Weft.Mutex."; "Weft.Rwlock."; "Weft.Semaphore."; "Weft.Condition." ]
let channels = [ "Weft.Chan."; "Weft.Select."; "Weft.Mvar." ]

let category_of_wait what : Event.category =
  if has_prefix locks what then Lock else if has_prefix channels what then Channel else Suspend

let begin_event t id span time =
  emit t ~track:span.at ~time ~arguments:span.arguments span.category span.name (Begin id)

let end_event ?arguments t id span track time =
  emit t ~track ~time ?arguments span.category span.name (End id)

let begins t kind id span =
  if Hashtbl.length t.open_spans >= most_open then Hashtbl.reset t.open_spans;
  Hashtbl.replace t.open_spans (kind, id) span;
  begin_event t id span span.began

let ends t kind id track time =
  match Hashtbl.find_opt t.open_spans (kind, id) with
  | None -> false
  | Some span ->
      Hashtbl.remove t.open_spans (kind, id);
      (* Two clocks of one machine may differ a little. *)
      end_event t id span track (max span.began time);
      true

let kind_of : Wire.span -> kind = function Wait -> Wait | Call -> Call | Region -> Region

let ended t number time span id =
  ignore (reading_weft t number time 3);
  let kind = kind_of span in
  if not (ends t kind id number time) then t.early <- (kind, id, number, time) :: t.early

let swept t =
  let still = List.filter (fun (kind, id, track, time) -> not (ends t kind id track time)) in
  let lost = still t.earlier in
  if t.live then t.unmatched <- t.unmatched + List.length lost;
  t.earlier <- still t.early;
  t.early <- []

(* A span that is told of at its end. *)
let whole t ~track ~began ~ended ?arguments category name id =
  emit t ~track ~time:began ?arguments category name (Begin id);
  emit t ~track ~time:ended category name (End id)

let own_id t =
  t.next_id <- t.next_id + 1;
  t.next_id

(* --- notes --- *)

(* The lane of the job that runs, whose worker a note does not name. *)
let running r = List.find_opt (fun lane -> match lane.doing with Runs _ -> true | _ -> false) r.lanes

let block t r time ~first ~last ~nanoseconds ~alone =
  let arguments = [ ("first", Event.Int first); ("last", Event.Int last) ] in
  let began = time - max 0 nanoseconds in
  match running r with
  | Some lane when alone ->
      (* Its length is measured by another clock: it must not come out across what was there before. *)
      let before, until = lane.block in
      let began = max began lane.since in
      let began = if before < began && began < until then until else began in
      lane.block <- (began, time);
      emit t ~track:lane.track ~time:began ~arguments Loop "block" (Complete (time - began))
  | _ -> whole t ~track:r.number ~began ~ended:time ~arguments Loop "block" (own_id t)

let note t number time (n : Wire.note) =
  let words text = 4 + (String.length text / 8) in
  let reading text = reading_weft t number time (words text) in
  match n with
  | Joined n ->
      let r = reading n.pool in
      know t n.worker n.index n.pool;
      let lane = comes t r time (Some (if n.returned then "return" else "join")) n.worker in
      forks t lane time n.worker n.forks
  | Seen n ->
      let r = reading n.pool in
      know t n.worker n.index n.pool;
      forks t (comes t r time None n.worker) time n.worker n.forks
  | Left n ->
      let r = reading n.pool in
      know t n.worker n.index n.pool;
      let lane = lane_for t r n.worker time in
      close t lane time ~jobs:(max 1 n.jobs);
      forks t (comes t r time (Some (if n.retired then "retire" else "leave")) n.worker) time n.worker n.forks;
      lane.worker <- -1
  | Wait_begins n ->
      ignore (reading n.what);
      let arguments = if n.about > 0 then [ ("object", Event.Int n.about) ] else [] in
      begins t Wait n.id
        { category = category_of_wait n.what; name = n.what; began = time; at = number; arguments }
  | Call_begins n ->
      ignore (reading "");
      begins t Call n.id
        { category = Blocking; name = "blocking call"; began = time; at = number; arguments = [] }
  | Region_begins n ->
      ignore (reading n.name);
      begins t Region n.id { category = Region; name = n.name; began = time; at = number; arguments = [] }
  | Instant name ->
      ignore (reading name);
      emit t ~track:number ~time Region name Instant
  | Block n ->
      let r = reading "" in
      block t r time ~first:n.first ~last:n.last ~nanoseconds:n.nanoseconds ~alone:n.alone
  | Batch n ->
      ignore (reading "");
      let arguments =
        [
          ("structure", Event.Int n.structure); ("size", Event.Int n.size); ("parallel", Event.Bool n.parallel);
        ]
      in
      whole t ~track:number ~began:(time - max 0 n.nanoseconds) ~ended:time ~arguments Batch "batch" n.id
  | Cancelled exn ->
      ignore (reading exn);
      emit t ~track:number ~time ~arguments:[ ("exception", Text exn) ] Cancel "cancel" Instant
  | Unknown ->
      ignore (reading "");
      t.unmatched <- t.unmatched + 1

let pool_arguments t r =
  match running r with
  | Some lane -> ( match pool_of t lane.worker with Some pool -> [ ("pool", Event.Text pool) ] | None -> [])
  | None -> []

let wake t number time =
  let r = reading_weft t number time 2 in
  emit t ~track:number ~time ~arguments:(pool_arguments t r) Park "wake" Instant

(* --- the runtime --- *)

let phase_begins t number time name =
  let r = reading t number time 2 in
  r.phases <- (name, time) :: r.phases

(* The innermost of that name: two threads of a domain may be in phases that are not nested. *)
let phase_ends t number time name =
  let r = reading t number time 2 in
  let rec without = function
    | [] -> None
    | (other, began) :: rest when String.equal other name -> Some (began, rest)
    | phase :: rest -> Option.map (fun (began, rest) -> (began, phase :: rest)) (without rest)
  in
  match without r.phases with
  | None -> if t.live then t.unmatched <- t.unmatched + 1
  | Some (began, rest) ->
      r.phases <- rest;
      emit t ~track:number ~time:began Gc name (Complete (max 0 (time - began)))

let counter t number time name ~unit_name value =
  ignore (reading t number time 3);
  emit t ~track:number ~time ~arguments:[ (unit_name, Int value) ] Gc name (Counter number)

let domain_begins t number time =
  ignore (reading t number time 3);
  emit t ~track:number ~time Worker "domain spawn" Instant

let domain_ends t number time =
  ignore (reading t number time 3);
  emit t ~track:number ~time Worker "domain end" Instant

(* --- the end, or a gap --- *)

let interrupt t r time =
  List.iter (fun lane -> leave_lane t lane time) r.lanes;
  List.iter
    (fun (name, began) ->
      emit t ~track:r.number ~time:began
        ~arguments:[ ("unfinished", Bool true) ]
        Gc name
        (Complete (max 0 (time - began))))
    r.phases;
  r.phases <- []

let mean_words r = if r.read = 0 then 3. else float_of_int r.words /. float_of_int r.read

let lost t number words =
  let r = ring t number in
  interrupt t r r.last;
  if t.live then begin
    let events = max 1 (int_of_float (float_of_int words /. mean_words r)) in
    r.lost_words <- r.lost_words + words;
    r.lost_events <- r.lost_events + events;
    let arguments = [ ("words", Event.Int words); ("events", Event.Int events) ] in
    emit t ~track:number ~time:r.last ~arguments Trace "events lost" Instant
  end

let is_live t = t.live

let go_live t =
  t.live <- true;
  Hashtbl.iter (fun (_, id) span -> if span.began < t.from then begin_event t id span t.from) t.open_spans;
  t.early <- [];
  t.earlier <- [];
  t.unmatched <- 0

let finish t =
  swept t;
  swept t;
  let arguments = [ ("unfinished", Event.Bool true) ] in
  Hashtbl.iter (fun _ r -> interrupt t r (max r.last t.last_time)) t.rings;
  Hashtbl.iter (fun (_, id) span -> end_event t id span span.at t.last_time ~arguments) t.open_spans;
  Hashtbl.reset t.open_spans

(* --- what came of it --- *)

let events t = t.events
let scheduler_events t = t.of_scheduler
let unmatched t = t.unmatched
let last_time t = t.last_time
let sorted of_ring t = List.sort compare (Hashtbl.fold (fun _ r found -> of_ring r @ found) t.rings [])
let read t = sorted (fun r -> if r.read > 0 then [ (r.number, r.read) ] else []) t

let losses t =
  sorted
    (fun r ->
      if r.lost_words > 0 then [ (r.number, { Event.words = r.lost_words; events = r.lost_events }) ] else [])
    t

let workers t = List.sort compare (Hashtbl.fold (fun _ w found -> w :: found) t.known [])

let tracks t =
  let track_of r track =
    (track, Option.value (Hashtbl.find_opt t.names track) ~default:(Printf.sprintf "domain %d" r.number))
  in
  sorted
    (fun r ->
      track_of r r.number
      :: List.filter_map
           (fun lane -> if lane.track = r.number then None else Some (track_of r lane.track))
           r.lanes)
    t
