type part = { time : int; moments : Intervals.t }
type stretch = { region : string option; moments : Intervals.t; calls : int }

type block = {
  worker : string;
  start : int;
  duration : int;
  first : int option;
  last : int option;
  idle : int;
  alike : int;
  final : bool;
}

type idle = {
  workers : (string * int * int) list;
  time : int;
  all : int;
  locks : part;
  blocks : part;
  blocking : part;
  channels : part;
  rest : part;
  nobody : int;
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

let loop_blocks (trace : Trace.t) =
  let is_block (span : Trace.span) = span.category = Loop in
  let on_tracks =
    List.concat_map
      (fun (track : Trace.track) -> List.filter is_block (Array.to_list track.spans))
      (Array.to_list trace.tracks)
  in
  on_tracks @ List.filter is_block (Array.to_list trace.apart)

let iterations (span : Trace.span) =
  match (Event.int "first" span.arguments, Event.int "last" span.arguments) with
  | Some first, Some last -> Some (last - first + 1)
  | _ -> None

let set_of (spans : Trace.span list) =
  Intervals.of_list (List.map (fun (span : Trace.span) -> (span.start, span.stop)) spans)

let worst_block (trace : Trace.t) idle_sets all_blocks long_blocks =
  let longest (a : Trace.span) (b : Trace.span) =
    compare (b.stop - b.start, a.start) (a.stop - a.start, b.start)
  in
  let considered = List.filteri (fun i _ -> i < candidates) (List.sort longest long_blocks) in
  let idle_beside (span : Trace.span) =
    let moments = Intervals.of_list [ (span.start, span.stop) ] in
    List.fold_left (fun sum set -> sum + Intervals.length (Intervals.inter set moments)) 0 idle_sets
  in
  let weighed = List.map (fun span -> (idle_beside span, span)) considered in
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
      start = span.start;
      duration = span.stop - span.start;
      first = Event.int "first" span.arguments;
      last = Event.int "last" span.arguments;
      idle;
      alike;
      final = List.for_all (fun (other : Trace.span) -> other.stop <= span.stop) all_blocks;
    }
  in
  Option.map block most

(* {1 Idleness} *)

let is_idle : Workers.state -> bool = function
  | Searching | Parked | Absent -> true
  | Running | Collecting | Away | Other | Unknown -> false

let at_work : Workers.state -> bool = function Running | Collecting -> true | _ -> false

let overlaps moments (span : Trace.span) =
  Intervals.length (Intervals.inter moments (Intervals.of_list [ (span.start, span.stop) ])) > 0

let blocking_calls (trace : Trace.t) =
  set_of (List.filter (fun (span : Trace.span) -> span.category = Blocking) (Array.to_list trace.apart))

(* {1 The world} *)

let is_of_the_world (span : Trace.span) =
  span.category = Suspend && (span.name = "Weft.sleep" || String.starts_with ~prefix:"Weft_unix." span.name)

(* A program of which no worker has anything to do for so much of the time, since it waits for the time or for
   others to send something, has workers to spare. *)
let least_to_spare = 0.2

(* If there are workers to spare, it counts whenever a fiber waits for the world: those that wait at channels
   wait for that one. If not, a fiber that sleeps may have nothing to do with who is idle: it counts only
   if nobody is at work. *)
let waits_for_the_world (trace : Trace.t) workers =
  let waits = set_of (List.filter is_of_the_world (Array.to_list trace.apart)) in
  let busy = Intervals.at_least 1 (List.map (fun w -> Workers.moments w at_work) (Array.to_list workers)) in
  let alone = Intervals.diff (Intervals.diff waits busy) (blocking_calls trace) in
  let enough = least_to_spare *. float_of_int trace.duration in
  if float_of_int (Intervals.length alone) >= enough then waits else alone

(* {1 Parts} *)

let idle (trace : Trace.t) workers ~waits ~world stretch =
  let within set = Intervals.inter set stretch.moments in
  let workers = Array.to_list workers in
  let sets_of wanted = List.map (fun worker -> within (Workers.moments worker wanted)) workers in
  let unknown_sets = sets_of (( = ) Workers.Unknown) and away_sets = sets_of (( = ) Workers.Away) in
  let idle_sets = sets_of is_idle and busy_sets = sets_of at_work in
  let length = Intervals.length stretch.moments in
  let all_blocks = List.filter (overlaps stretch.moments) (loop_blocks trace) in
  let is_long (span : Trace.span) = span.stop - span.start >= least_long_block length in
  let long_blocks = List.filter is_long all_blocks in
  let of_kind kind =
    let of_wait set (wait : Activity.waits) =
      if wait.kind = kind then Intervals.union set wait.moments else set
    in
    List.fold_left of_wait Intervals.empty waits
  in
  (* The share of a cause, and what is left of each worker's idleness after it. *)
  let total sets = List.fold_left (fun sum set -> sum + Intervals.length set) 0 sets in
  let part sets = { time = total sets; moments = Intervals.at_least 1 sets } in
  let take cause sets =
    ( part (List.map (fun set -> Intervals.inter set cause) sets),
      List.map (fun set -> Intervals.diff set cause) sets )
  in
  let locks, left = take (of_kind `Lock) idle_sets in
  let worst_block = worst_block trace left all_blocks long_blocks in
  let blocks, left = take (set_of long_blocks) left in
  let blocking, left = take (blocking_calls trace) left in
  let busy = Intervals.at_least 1 busy_sets in
  let _, left = take world left in
  let channels, left = take (of_kind `Channel) left in
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
    blocking;
    channels;
    rest;
    nobody = Intervals.length (Intervals.diff stretch.moments (Intervals.union busy unknown));
    worst_block;
    longest_alone =
      Intervals.longest (Intervals.diff (Intervals.inter rest.moments (Intervals.diff busy crowded)) unknown);
  }
