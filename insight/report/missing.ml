open Finding
open Words

let sprintf = Printf.sprintf

(* The part of the workers' time of which it is not known what they did. *)
let unknown_share (trace : Trace.t) workers (losses : Losses.t) =
  if Array.length workers = 0 then ratio (Intervals.length losses.gaps) trace.duration
  else
    let time = Array.fold_left (fun sum w -> sum + Workers.time_in w Unknown) 0 workers in
    ratio time (trace.duration * Array.length workers)

let least_known = 0.2

let leaves_enough trace workers losses =
  (not (Losses.any losses)) || 1. -. unknown_share trace workers losses >= least_known

let what_is_left ~unknown ~judged =
  if not judged then "What the workers did is not judged."
  else if unknown > 0. then
    sprintf
      "What the workers did is unknown for %s of their time. All else here is of the rest, and of what began \
       and ended in it."
      (percent unknown)
  else "All else here is of the rest."

let text (trace : Trace.t) (losses : Losses.t) ~unknown ~judged =
  let left = what_is_left ~unknown ~judged in
  match losses.damaged with
  | Some why ->
      sprintf "The rings were damaged and could not be read to their ends (%s). %s" (printable why) left
  | None ->
      let share = ratio losses.events (losses.events + trace.events) in
      sprintf "%s (%s of all) %s lost: the program wrote them faster than they were read. %s"
        (plural losses.events "event" "events")
        (percent share)
        (if losses.events = 1 then "was" else "were")
        left

let findings (trace : Trace.t) workers (losses : Losses.t) =
  if not (Losses.any losses) then []
  else
    let unknown = unknown_share trace workers losses in
    [
      whole Events_lost ~share:unknown
        ~numbers:
          [
            ("lost", `Int losses.events);
            ("share_of_events", `Float (ratio losses.events (losses.events + trace.events)));
            ("unknown_share_of_time", `Float unknown);
            ("damaged", match losses.damaged with Some why -> `String why | None -> `Null);
          ]
        ~text:(text trace losses ~unknown ~judged:(leaves_enough trace workers losses))
        ~advice:
          (if losses.damaged = None then "Trace with larger rings (weft trace --ring 20), or a shorter run."
           else "Trace once more.");
    ]
