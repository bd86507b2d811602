type group = Gc | Scheduler | Program

let groups = [ Gc; Scheduler; Program ]
let group_name = function Gc -> "gc" | Scheduler -> "scheduler" | Program -> "program"

type row = { group : group; name : string; latency : Latency.t }

let group_of : Category.t -> group = function
  | Gc -> Gc
  | Job | Search | Park | Suspend | Lock | Channel | Loop | Blocking | Blocked -> Scheduler
  | _ -> Program

let named (span : Trace.span) =
  match span.category with
  | Loop -> "loop block"
  | Suspend -> "suspended: " ^ span.name
  | Region -> "region " ^ span.name
  | _ -> span.name

(* Goes through each span once, but for gaps; the spans of [apart] come last. *)
let iter f (trace : Trace.t) =
  let f (span : Trace.span) = if span.category <> Trace then f span in
  Array.iter (fun (track : Trace.track) -> Array.iter f track.spans) trace.tracks;
  Array.iter f trace.apart

let table trace =
  let found = Hashtbl.create 64 in
  let note (span : Trace.span) =
    let key = (span.category, span.name) in
    let spans =
      match Hashtbl.find_opt found key with
      | Some (_, spans) -> spans
      | None ->
          let spans = Dynarray.create () in
          Hashtbl.add found key ((group_of span.category, named span), spans);
          spans
    in
    Dynarray.add_last spans span
  in
  iter note trace;
  let row _ ((group, name), spans) rows =
    let durations =
      Array.map (fun (span : Trace.span) -> span.stop - span.start) (Losses.whole (Dynarray.to_array spans))
    in
    match Latency.of_durations durations with
    | Some latency -> { group; name; latency } :: rows
    | None -> rows
  in
  let order a b = compare (a.group, -a.latency.total, a.name) (b.group, -b.latency.total, b.name) in
  List.sort order (Hashtbl.fold row found [])

type slow = {
  group : group;
  name : string;
  start : int;
  duration : int;
  track : int;
  arguments : Event.arguments;
}

let by_duration a b = compare (-a.duration, a.start, a.name) (-b.duration, b.start, b.name)

(* [n] is small, so a sorted list of the longest so far is enough. *)
let slowest n trace group =
  let best = ref [] and least = ref (-1) and kept = ref 0 in
  let outer_stop = Array.make (Array.length trace.Trace.tracks) 0 in
  let nested_collection (span : Trace.span) =
    span.category = Category.Gc
    &&
    let nested = span.stop <= outer_stop.(span.track) in
    outer_stop.(span.track) <- max outer_stop.(span.track) span.stop;
    nested
  in
  let note (span : Trace.span) =
    let wanted = group_of span.category = group && span.category <> Search && span.category <> Park in
    if wanted && not (nested_collection span) then
      let duration = span.stop - span.start in
      if duration > !least || !kept < n then (
        let slow =
          {
            group;
            name = named span;
            start = span.start;
            duration;
            track = span.track;
            arguments = span.arguments;
          }
        in
        best := List.filteri (fun i _ -> i < n) (List.merge by_duration !best [ slow ]);
        kept := List.length !best;
        if !kept = n then least := (List.nth !best (n - 1)).duration)
  in
  iter note trace;
  !best
