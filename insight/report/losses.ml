type t = { events : int; gaps : Intervals.t; damaged : string option }

let member key = function `Assoc members -> List.assoc_opt key members | _ -> None
let events arguments = Option.value ~default:0 (Event.int "events" arguments)

let lost_in_all (trace : Trace.t) =
  match Option.bind (List.assoc_opt "lost" trace.weft) (member "events") with Some (`Int n) -> n | _ -> 0

(* Older traces only tell where a gap begins: it ends with the next span of that row. *)
let older_gap (trace : Trace.t) (i : Trace.instant) =
  let spans = trace.tracks.(i.track).spans in
  let rec first_after low high =
    if low = high then low
    else
      let middle = (low + high) / 2 in
      if spans.(middle).start > i.time then first_after low middle else first_after (middle + 1) high
  in
  let next = first_after 0 (Array.length spans) in
  (i.time, (if next = Array.length spans then trace.duration else spans.(next).start), i.arguments)

let all_gaps (trace : Trace.t) =
  let gap (s : Trace.span) = if s.category = Trace then Some (s.start, s.stop, s.arguments) else None in
  let of_track (track : Trace.track) = Seq.filter_map gap (Array.to_seq track.spans) in
  let older (i : Trace.instant) = if i.category = Trace then Some (older_gap trace i) else None in
  List.of_seq
    (Seq.append
       (Seq.concat_map of_track (Array.to_seq trace.tracks))
       (Seq.filter_map older (Array.to_seq trace.instants)))

let is_end (trace : Trace.t) = Option.is_some (Option.bind (List.assoc_opt "last_s" trace.weft) Event.number)

(* The number for the whole file also counts losses in the part that was thrown away. *)
let of_trace trace =
  let gaps = if Trace.is_weft trace then all_gaps trace else [] in
  let told = List.fold_left (fun sum (_, _, arguments) -> sum + events arguments) 0 gaps in
  {
    events = (if is_end trace then told else lost_in_all trace);
    gaps = Intervals.of_list (List.map (fun (a, b, _) -> (a, b)) gaps);
    damaged = (match List.assoc_opt "damaged" trace.weft with Some (`String why) -> Some why | _ -> None);
  }

(* Of spans whose ends may have been lost, older versions of weft trace claimed that they lasted to the end. *)
let cut t (trace : Trace.t) =
  let gaps = (t.gaps :> (int * int) array) in
  let known_until (s : Trace.span) =
    let first = Intervals.first_after t.gaps (s.start - 1) in
    if first = Array.length gaps then s.stop else max s.start (fst gaps.(first))
  in
  let of_span (s : Trace.span) =
    if Event.bool "unfinished" s.arguments then { s with stop = min s.stop (known_until s) } else s
  in
  if gaps = [||] then trace else { trace with apart = Array.map of_span trace.apart }

let any t = t.events > 0 || t.damaged <> None
let is_whole (span : Trace.span) = not (Event.bool "unfinished" span.arguments)

let whole spans =
  let ended = Array.of_seq (Seq.filter is_whole (Array.to_seq spans)) in
  if ended = [||] then spans else ended
