type part = { time : int; moments : Intervals.t }
type stretch = { region : string option; moments : Intervals.t; calls : int }

type block = {
  worker : string;
  at : string option;
  start : int;
  duration : int;
  first : int option;
  last : int option;
  idle : int;
  idlest : string;
  alike : int;
  final : bool;
}

type idle = {
  workers : (string * int * int) list;
  time : int;
  all : int;
  locks : part;
  blocks : part;
  steals : part;
  blocking : part;
  channels : part;
  rest : part;
  beside_rest : int;
  outside : int;
  worst_block : block option;
  longest_alone : (int * int) option;
}

(* {1 Stretches} *)

let greatest_number_of_regions = 50

let stretches (trace : Trace.t) ~(losses : Losses.t) =
  let known = Intervals.diff (Intervals.of_list [ (0, trace.duration) ]) losses.gaps in
  let whole = { region = None; moments = known; calls = 1 } in
  let table = Hashtbl.create 16 in
  let note (span : Trace.span) =
    if span.category = Region then
      let found = Option.value ~default:[] (Hashtbl.find_opt table span.name) in
      Hashtbl.replace table span.name ((span.start, span.stop) :: found)
  in
  Array.iter note trace.apart;
  Array.iter (fun (track : Trace.track) -> Array.iter note track.spans) trace.tracks;
  let region name found all =
    {
      region = Some name;
      moments = Intervals.inter known (Intervals.of_list found);
      calls = List.length found;
    }
    :: all
  in
  let long stretch = Intervals.length stretch.moments * 20 >= max 1 (Intervals.length known) in
  let regions = List.filter long (Hashtbl.fold region table []) in
  let order a b = compare (-Intervals.length a.moments, a.region) (-Intervals.length b.moments, b.region) in
  whole :: List.filteri (fun i _ -> i < greatest_number_of_regions) (List.sort order regions)

(* {1 Long blocks} *)

(* A block counts as long if the other workers could have done much meanwhile. For a block of default size,
   thieves never wait longer than some microseconds. *)
let least_long_block length = max 200_000 (length / 100)

(* How many blocks are examined one by one. *)
let candidates = 100

let iterations (span : Trace.span) =
  match (Event.int "first" span.arguments, Event.int "last" span.arguments) with
  | Some first, Some last -> Some (last - first + 1)
  | _ -> None

let set_of (spans : Trace.span list) =
  Intervals.of_list (List.map (fun (span : Trace.span) -> (span.start, span.stop)) spans)

let worst_block (trace : Trace.t) workers idle_sets all_blocks long_blocks =
  let longest (a : Trace.span) (b : Trace.span) =
    compare (b.stop - b.start, a.start) (a.stop - a.start, b.start)
  in
  let considered = List.filteri (fun i _ -> i < candidates) (List.sort longest long_blocks) in
  let idle_during (span : Trace.span) set =
    Intervals.length (Intervals.overlap set ~from:span.start ~until:span.stop)
  in
  let idle_beside span = List.fold_left (fun sum set -> sum + idle_during span set) 0 idle_sets in
  let weighed = List.map (fun span -> (idle_beside span, span)) considered in
  let idlest span =
    let weigh (worker : Workers.t) set = (idle_during span set, worker.name) in
    let more (a : int * string) b = if fst b > fst a then b else a in
    snd (List.fold_left more (-1, "") (List.map2 weigh workers idle_sets))
  in
  let most =
    List.fold_left
      (fun best x -> match best with Some y when fst y >= fst x -> best | _ -> Some x)
      None weighed
  in
  let block (idle, (span : Trace.span)) =
    let count = iterations span in
    let alike = List.length (List.filter (fun other -> iterations other = count) all_blocks) in
    {
      worker = trace.tracks.(span.end_track).label;
      at = Event.text "at" span.arguments;
      start = span.start;
      duration = span.stop - span.start;
      first = Event.int "first" span.arguments;
      last = Event.int "last" span.arguments;
      idle;
      idlest = idlest span;
      alike;
      final = List.for_all (fun (other : Trace.span) -> other.stop <= span.stop) all_blocks;
    }
  in
  Option.map block most

(* {1 Idleness} *)

let is_idle : Workers.state -> bool = function
  | Searching | Parked | Absent -> true
  | Running | Collecting | Away | Other | Unknown -> false

let overlaps moments (span : Trace.span) =
  Intervals.overlap moments ~from:span.start ~until:span.stop <> Intervals.empty

let idle (trace : Trace.t) workers (c : Circumstances.t) stretch =
  let within set = Intervals.inter set stretch.moments in
  let workers = Array.to_list workers in
  let sets_of wanted = List.map (fun worker -> within (Workers.moments worker wanted)) workers in
  let unknown_sets = sets_of (( = ) Workers.Unknown) and away_sets = sets_of (( = ) Workers.Away) in
  let busy_sets = sets_of Workers.at_work in
  let idle_sets = List.map2 Intervals.diff (sets_of is_idle) c.without_processor in
  let length = Intervals.length stretch.moments in
  let all_blocks = List.filter (overlaps stretch.moments) c.blocks in
  let is_long (span : Trace.span) = span.stop - span.start >= least_long_block length in
  let long_blocks = List.filter is_long all_blocks in
  (* The share of a cause, and what is left of each worker's idleness after it. *)
  let total sets = List.fold_left (fun sum set -> sum + Intervals.length set) 0 sets in
  let part sets = { time = total sets; moments = Intervals.at_least 1 sets } in
  let take cause sets =
    ( part (List.map (fun set -> Intervals.inter set cause) sets),
      List.map (fun set -> Intervals.diff set cause) sets )
  in
  let locks, left = take c.locks idle_sets in
  let worst_block = worst_block trace workers left all_blocks long_blocks in
  let blocks, left = take (set_of long_blocks) left in
  let steals, left = take c.steals left in
  let blocking, left = take c.blocking left in
  let busy = Intervals.at_least 1 busy_sets in
  let _, left = take c.world left in
  let channels, left = take c.channels left in
  let crowded = Intervals.at_least 2 busy_sets in
  let rest = part left and unknown = Intervals.at_least 1 unknown_sets in
  {
    workers =
      List.map2
        (fun (worker : Workers.t) (idle, busy) -> (worker.name, Intervals.length idle, Intervals.length busy))
        workers (List.combine idle_sets busy_sets);
    time = (length * List.length workers) - total unknown_sets - total away_sets;
    all = total idle_sets;
    locks;
    blocks;
    steals;
    blocking;
    channels;
    rest;
    beside_rest = total (List.map (Intervals.inter rest.moments) busy_sets);
    outside =
      Intervals.length
        (Intervals.diff (Intervals.diff stretch.moments (Intervals.union busy unknown)) c.world);
    worst_block;
    longest_alone =
      Intervals.longest (Intervals.diff (Intervals.inter rest.moments (Intervals.diff busy crowded)) unknown);
  }

(* {1 In words} *)

let laziest (idle : idle) =
  match List.sort (fun (_, a, _) (_, b, _) -> Int.compare b a) idle.workers with
  | (name, time, _) :: _ -> Some (name, time)
  | [] -> None

(* "worker 1 idle 43 % of region `sort`" *)
let who_was_idle ?worker stretch (idle : idle) =
  let length = Intervals.length stretch.moments in
  let where =
    match stretch.region with
    | Some name -> Printf.sprintf "of region `%s`" (Words.printable name)
    | None -> "of the time"
  in
  let who =
    match worker with
    | None -> laziest idle
    | Some worker ->
        List.find_map (fun (name, time, _) -> if name = worker then Some (name, time) else None) idle.workers
  in
  match who with
  | Some (name, time) ->
      Printf.sprintf "%s idle %s %s" (Words.printable name) (Words.percent (Finding.ratio time length)) where
  | None -> "no worker seen"
