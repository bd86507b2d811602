type t = {
  locks : Intervals.t;
  blocks : Trace.span list;
  steals : Intervals.t;
  blocking : Intervals.t;
  world : Intervals.t;
  channels : Intervals.t;
  without_processor : Intervals.t list;
}

let of_waits kind waits =
  let moments (wait : Activity.waits) =
    if wait.kind = kind then Array.to_list (wait.moments :> (int * int) array) else []
  in
  Intervals.of_list (List.concat_map moments waits)

let set_of wanted (trace : Trace.t) =
  let moment (s : Trace.span) = if wanted s then Some (s.start, s.stop) else None in
  Intervals.of_list (List.filter_map moment (Array.to_list trace.apart))

let blocking_calls = set_of (fun s -> s.category = Blocking)

let loop_blocks (trace : Trace.t) =
  let is_block (span : Trace.span) = span.category = Loop in
  let on_tracks =
    List.concat_map
      (fun (track : Trace.track) -> List.filter is_block (Array.to_list track.spans))
      (Array.to_list trace.tracks)
  in
  on_tracks @ List.filter is_block (Array.to_list trace.apart)

(* {1 The world} *)

let is_of_the_world (span : Trace.span) =
  span.category = Suspend && (span.name = "Weft.sleep" || String.starts_with ~prefix:"Weft_unix." span.name)

(* A program of which no worker has anything to do for so much of the time, since it waits for the time or for
   others to send something, has workers to spare. *)
let least_to_spare = 0.2

(* If there are workers to spare, those that wait at channels wait for the world, too. If not, a fiber that
   sleeps may have nothing to do with who is idle: it counts only if nobody is at work. *)
let fibers_wait_for_the_world (trace : Trace.t) ~busy =
  let waits = set_of is_of_the_world trace in
  let alone = Intervals.diff (Intervals.diff waits busy) (blocking_calls trace) in
  let enough = least_to_spare *. float_of_int trace.duration in
  if float_of_int (Intervals.length alone) >= enough then waits else alone

let waits_for_the_world (trace : Trace.t) workers =
  let at_work = List.map (fun w -> Workers.moments w Workers.at_work) workers in
  let busy = Intervals.at_least 1 at_work in
  let nobody = Intervals.diff (Intervals.of_list [ (0, trace.duration) ]) busy in
  Intervals.union (fibers_wait_for_the_world trace ~busy) (Outside.waited trace ~at_work ~nobody)

(* {1 The machine} *)

(* It is known of the time between two looks of the tracer, of which it must be the greater part. *)
let without_processor trace (worker : Workers.t) =
  let is_own (s : Trace.span) =
    s.category = Blocked && Workers.is_of trace worker s
    && 2 * Option.value ~default:0 (Event.int "waited_ns" s.arguments) >= s.stop - s.start
  in
  set_of is_own trace

let of_trace trace workers ~waits =
  let workers = Array.to_list workers in
  {
    locks = of_waits `Lock waits;
    blocks = loop_blocks trace;
    steals = Stealing.moments trace;
    blocking = blocking_calls trace;
    world = waits_for_the_world trace workers;
    channels = of_waits `Channel waits;
    without_processor = List.map (without_processor trace) workers;
  }
