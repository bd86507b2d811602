open Finding
open Words

let sprintf = Printf.sprintf

type t = {
  region : string;
  calls : int;
  few : int;
  median : int;
  longest : int;
  start : int;
  stop : int;
  extra : int;
}

(* {1 Which calls} *)

let least_calls = 20
let least_extra = 5_000_000
let times_the_median = 10
let times_the_others = 3

(* One in a hundred, but one at least. *)
let most_few calls = max 1 (calls / 100)

let by_region (trace : Trace.t) =
  let table = Hashtbl.create 16 in
  let note (s : Trace.span) =
    if s.category = Region && Losses.is_whole s then
      match Hashtbl.find_opt table s.name with
      | Some calls -> Dynarray.add_last calls s
      | None -> Hashtbl.add table s.name (Dynarray.of_list [ s ])
  in
  Array.iter note trace.apart;
  Hashtbl.fold (fun name calls all -> (name, Dynarray.to_array calls) :: all) table []

let duration_of (s : Trace.span) = s.stop - s.start

(* For what its own thread was blocked in the system, nobody else is the reason. *)
let is_known ~without_processor ~blocked ~(losses : Losses.t) (s : Trace.span) ~extra =
  Intervals.overlap losses.gaps ~from:s.start ~until:s.stop = Intervals.empty
  &&
  let excused = min (without_processor ~except:Surroundings.no_track s.start s.stop) (extra - blocked s) in
  ratio excused extra < Surroundings.most_excused

let of_region ~is_known ~least_extra (region, calls) =
  let all = Array.length calls in
  if all < least_calls then None
  else
    let sorted = Array.map duration_of calls in
    Array.sort Int.compare sorted;
    let median = Latency.percentile sorted (1, 2) in
    let others = Latency.percentile sorted (if all >= 100 then (99, 100) else (9, 10)) in
    let much = max (median + least_extra) (max (times_the_median * median) (times_the_others * others)) in
    let far = List.filter (fun s -> duration_of s >= much) (Array.to_list calls) in
    let extra s = duration_of s - median in
    let few = List.filter (fun s -> is_known s ~extra:(extra s)) far in
    if few = [] || List.length far > most_few all then None
    else
      let longer a b = if duration_of b > duration_of a then b else a in
      let longest = List.fold_left longer (List.hd few) few in
      Some
        {
          region;
          calls = all;
          few = List.length few;
          median;
          longest = duration_of longest;
          start = longest.start;
          stop = longest.stop;
          extra = List.fold_left (fun sum s -> sum + extra s) 0 few;
        }

(* The shortest first: whoever contains one of them, and took that long for it, has the same cause. *)
let without_outer all =
  let explains outer inner =
    outer.start <= inner.start && inner.stop <= outer.stop
    && 2 * (inner.longest - inner.median) >= outer.longest - outer.median
  in
  let keep kept o = if List.exists (explains o) kept then kept else o :: kept in
  List.fold_left keep [] (List.sort (fun a b -> Int.compare a.longest b.longest) all)

let of_trace trace ~losses ~blocked =
  let least_extra = if Surroundings.is_busy trace then Surroundings.least_when_busy else least_extra in
  let is_known = is_known ~without_processor:(Surroundings.without_processor trace) ~blocked ~losses in
  by_region trace
  |> List.filter_map (of_region ~is_known ~least_extra)
  |> without_outer
  |> List.sort (fun a b -> compare (-a.extra, a.region) (-b.extra, b.region))

(* {1 Findings} *)

let phrase o =
  sprintf "%s of %s took %s (median %s)" (count o.few) (count o.calls)
    (if o.few = 1 then duration o.longest else "up to " ^ duration o.longest)
    (duration o.median)

let finding (trace : Trace.t) workers o =
  {
    kind = Outlier;
    share = Float.min 1. (ratio o.extra (trace.duration * max 1 (Array.length workers)));
    region = Some o.region;
    worker = None;
    place = Some (o.start, o.stop);
    numbers =
      [
        ("calls", `Int o.calls);
        ("outliers", `Int o.few);
        ("median_ns", `Int o.median);
        ("longest_ns", `Int o.longest);
      ];
    text = sprintf "Region `%s`: %s, at %s." (printable o.region) (phrase o) (duration o.start);
    advice = "Look at that time in the timeline (--html): the button at the finding goes there.";
  }

let most = 3

let is_said said o =
  let within (d : Finding.t) =
    match d.place with Some (a, b) -> d.region = Some o.region && a < o.stop && o.start < b | None -> false
  in
  List.exists within said

let findings trace workers ~said all =
  let left = List.filter (fun o -> not (is_said said o)) all in
  List.map (finding trace workers) (List.filteri (fun i _ -> i < most) left)
