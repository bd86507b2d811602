type t = { searches : int; at_hand : float; cost : int option; gain : int option }

let longest = 100_000

(* In the order of each track. *)
let searches (trace : Trace.t) =
  let of_span (s : Trace.span) =
    if s.category <> Search then None
    else Option.map (fun at_hand -> (s, at_hand)) (Event.int "at_hand" s.arguments)
  in
  let of_track (track : Trace.track) = Seq.filter_map of_span (Array.to_seq track.spans) in
  List.of_seq (Seq.concat_map of_track (Array.to_seq trace.tracks))

let moments trace =
  let moment ((s : Trace.span), _) = (s.start, min s.stop (s.start + longest)) in
  Intervals.of_list (List.map moment (searches trace))

let median = function
  | [] -> None
  | durations ->
      let sorted = Array.of_list durations in
      Array.sort Int.compare sorted;
      Some (Latency.percentile sorted (1, 2))

let stolen (trace : Trace.t) =
  let of_span (s : Trace.span) =
    if s.category = Job && Event.text "from" s.arguments = Some "stolen" then
      Some ((s.stop - s.start) / Option.value ~default:1 (Event.int "jobs" s.arguments))
    else None
  in
  let of_track (track : Trace.track) = Seq.filter_map of_span (Array.to_seq track.spans) in
  List.of_seq (Seq.concat_map of_track (Array.to_seq trace.tracks))

let of_trace trace =
  let all = searches trace in
  let found = List.filter (fun ((s : Trace.span), _) -> Event.bool "found" s.arguments) all in
  let jobs = List.fold_left (fun sum (_, n) -> sum + n) 0 all in
  {
    searches = List.length all;
    at_hand = Finding.ratio jobs (List.length all);
    cost = median (List.map (fun ((s : Trace.span), _) -> s.stop - s.start) found);
    gain = median (stolen trace);
  }
