open Finding
open Words

let sprintf = Printf.sprintf

let balanced trace workers =
  let all = Array.to_list workers in
  let time = List.fold_left (fun sum w -> sum + Workers.time_in w Workers.Running) 0 all in
  let length =
    match all with
    | [] -> 0
    | (w : Workers.t) :: _ -> Array.fold_left (fun sum (a, b, _) -> sum + b - a) 0 w.segments
  in
  let share = ratio time (length * List.length all) in
  whole Balanced ~share:0.
    ~numbers:[ ("running_share", `Float share) ]
    ~text:
      (sprintf
         (if Trace.is_weft trace then
            "Nothing to mend: the workers ran the program's code for %s of the time."
          else
            "This trace is not one of weft, and shows no problem: its threads had spans for %s of the time. \
             What they did otherwise is not known.")
         (percent share)
      ^
      if Surroundings.is_busy trace then
        " The machine was busy with other programs: so idleness without a known cause is not judged."
      else "")
    ~advice:""

(* Without workers, nothing can be said about their work, but the collector can be judged. *)
let no_workers (trace : Trace.t) (c : Collections.t) =
  let collecting = c.minor_time + c.major_time + c.waiting_time + c.other_time in
  let domains =
    let collects (track : Trace.track) =
      Array.exists (fun (span : Trace.span) -> span.category = Gc) track.spans
    in
    List.length (List.filter collects (Array.to_list trace.tracks))
  in
  let share = ratio collecting (trace.duration * domains) in
  let collected =
    if domains = 0 then ""
    else
      sprintf " Collections took %s of the time of %s (%s)." (percent share)
        (plural domains "domain" "domains")
        (plural c.minor "minor collection" "minor collections")
  in
  let is_weft = Trace.is_weft trace in
  whole No_workers ~share:0.
    ~numbers:
      [ ("gc_share_of_time", `Float share); ("minor_collections", `Int c.minor); ("domains", `Int domains) ]
    ~text:
      ((if is_weft then "No worker was seen: no pool of Weft ran anything meanwhile."
        else "There are no spans in this trace, so there is nothing to say of its threads.")
      ^ collected)
    ~advice:
      (if is_weft then
         "If the program uses Weft, check that it has reached its parallel part, and that it was built with \
          the version of Weft to which this tool belongs."
       else "")

(* Who reads ten reads no more. *)
let most = 10

let diagnose trace workers ~losses ~waits ~collections =
  let stalls = Stalls.of_trace trace workers ~losses in
  let outliers = Outliers.of_trace trace ~losses ~blocked:(Stalls.time_in stalls) in
  let blocked, outliers = Stalls.findings trace workers stalls ~outliers in
  let found =
    Idleness.findings trace workers ~losses ~waits
    @ blocked
    @ Collecting.findings trace workers ~losses collections
    @ Surroundings.findings trace workers
  in
  let found = found @ Outliers.findings trace workers ~said:found outliers in
  let found = List.stable_sort (fun a b -> Float.compare b.share a.share) found in
  let found = List.filteri (fun i _ -> i < most) (Missing.findings trace workers losses @ found) in
  if Array.length workers > 0 then if found = [] then [ balanced trace workers ] else found
  else if Losses.any losses then found
  else no_workers trace collections :: found
