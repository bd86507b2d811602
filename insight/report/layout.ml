type item = { start : int; stop : int; category : Category.t; name : string; arguments : Event.arguments }
type row = { label : string; group : string; crowded : bool; lanes : item array array }

let greatest_number_of_lanes = 24

(* In the file both are of the category [blocked]. *)
let has_no_processor (s : Trace.span) = s.category = Blocked && s.name = Category.no_processor

let item (s : Trace.span) =
  let category = if has_no_processor s then Category.Foreign Category.no_processor else s.category in
  { start = s.start; stop = s.stop; category; name = s.name; arguments = s.arguments }

(* A row for each fiber that has waited, or was in a region: not of so many that nobody can find one, nor of so
   many spans that the page becomes twice as large. *)
let greatest_number_of_fibers = 200
let greatest_number_of_spans = 100_000

let finished label group lanes =
  let used = List.filter (fun lane -> not (Dynarray.is_empty lane)) (Array.to_list lanes) in
  let crowded = Array.length lanes > 0 && not (Dynarray.is_empty lanes.(Array.length lanes - 1)) in
  { label; group; crowded; lanes = Array.of_list (List.map Dynarray.to_array used) }

let new_lanes () = Array.init greatest_number_of_lanes (fun _ -> Dynarray.create ())

(* In ns. If [ts] and [dur] were rounded separately, a span may seem to begin before the one before it has
   ended. *)
let rounding = 1

(* Puts each span below all spans that have not ended yet, so nested spans get a lane for each level. *)
let by_depth label group spans =
  let lanes = new_lanes () and free_from = Array.make greatest_number_of_lanes 0 in
  let place (span : Trace.span) =
    let rec lowest lane =
      if lane = 0 || free_from.(lane - 1) > span.start + rounding then lane else lowest (lane - 1)
    in
    let lane = min (lowest greatest_number_of_lanes) (greatest_number_of_lanes - 1) in
    free_from.(lane) <- max free_from.(lane) span.stop;
    Dynarray.add_last lanes.(lane) (item span)
  in
  Array.iter place spans;
  finished label group lanes

(* Puts each span in the first free lane, for spans that are independent of each other. *)
let by_room label group spans =
  let lanes = new_lanes () and free_from = Array.make greatest_number_of_lanes 0 in
  let place (span : Trace.span) =
    let rec first lane =
      if lane = greatest_number_of_lanes - 1 || free_from.(lane) <= span.start + rounding then lane
      else first (lane + 1)
    in
    let lane = first 0 in
    free_from.(lane) <- max free_from.(lane) span.stop;
    Dynarray.add_last lanes.(lane) (item span)
  in
  Array.iter place spans;
  finished label group lanes

let chosen f spans = Array.of_seq (Seq.filter f (Array.to_seq spans))

let of_track (trace : Trace.t) instants number (track : Trace.track) =
  let is_gc (s : Trace.span) = s.category = Gc in
  let plain = if Trace.is_weft trace then chosen (fun s -> not (is_gc s)) track.spans else track.spans in
  let gc = if Trace.is_weft trace then chosen is_gc track.spans else [||] in
  let instant (i : Trace.instant) =
    { start = i.time; stop = i.time; category = i.category; name = i.name; arguments = i.arguments }
  in
  let here = Option.value ~default:[||] (Hashtbl.find_opt instants number) in
  [
    by_depth track.label "worker" plain;
    by_depth "GC" "gc" gc;
    {
      label = "events";
      group = "instant";
      crowded = false;
      lanes = (if here = [||] then [||] else [| Array.map instant here |]);
    };
  ]

let instants_by_track (trace : Trace.t) =
  let table = Hashtbl.create 16 in
  let add (i : Trace.instant) =
    match Hashtbl.find_opt table i.track with
    | Some all -> Dynarray.add_last all i
    | None -> Hashtbl.add table i.track (Dynarray.of_list [ i ])
  in
  Array.iter add trace.instants;
  Hashtbl.of_seq (Seq.map (fun (track, all) -> (track, Dynarray.to_array all)) (Hashtbl.to_seq table))

let of_fibers (trace : Trace.t) fibers =
  let table = Hashtbl.create 64 in
  let note (s : Trace.span) =
    match (s.category, Event.int "fiber" s.arguments) with
    | (Region | Lock | Channel | Suspend | Blocked), Some n -> (
        match Hashtbl.find_opt table n with
        | Some spans -> Dynarray.add_last spans s
        | None -> Hashtbl.add table n (Dynarray.of_list [ s ]))
    | _ -> ()
  in
  if Array.length trace.apart > greatest_number_of_spans then []
  else begin
    Array.iter note trace.apart;
    if Hashtbl.length table > greatest_number_of_fibers then []
    else
      let row (n, spans) = by_depth (Fibers.label fibers n) "wait" (Dynarray.to_array spans) in
      List.map row (List.sort (fun (a, _) (b, _) -> Int.compare a b) (List.of_seq (Hashtbl.to_seq table)))
  end

let with_labels fibers row =
  let item i = { i with arguments = Fibers.labelled fibers i.arguments } in
  { row with lanes = Array.map (Array.map item) row.lanes }

let rows (trace : Trace.t) =
  let fibers = Fibers.of_trace trace in
  let apart f = chosen (fun (s : Trace.span) -> f s.category) trace.apart in
  let without_processor, blocked =
    List.partition has_no_processor (Array.to_list (apart (fun c -> c = Blocked)))
  in
  let instants = instants_by_track trace in
  let tracks = List.concat (List.mapi (of_track trace instants) (Array.to_list trace.tracks)) in
  let all =
    (by_room "regions" "region" (apart (fun c -> c = Region)) :: tracks)
    @ [
        by_room "batches, blocks" "work" (apart (fun c -> c = Batch || c = Loop));
        by_room "blocking calls" "work" (apart (fun c -> c = Blocking));
        by_room "blocked workers" "wait" (Array.of_list blocked);
        by_room Category.no_processor "wait" (Array.of_list without_processor);
        by_room "waits: locks" "wait" (apart (fun c -> c = Lock));
        by_room "waits: channels" "wait" (apart (fun c -> c = Channel));
        by_room "waits: other" "wait" (apart (fun c -> c = Suspend));
        by_room "other spans" "work"
          (apart (fun c ->
               match c with
               | Region | Batch | Loop | Blocking | Blocked | Lock | Channel | Suspend -> false
               | _ -> true));
      ]
    @ of_fibers trace fibers
  in
  List.map (with_labels fibers) (List.filter (fun row -> row.lanes <> [||]) all)
