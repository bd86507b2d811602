open Finding
open Words

let sprintf = Printf.sprintf

(* Collections are reported if they take more than this share of the working time. *)
let least_gc_share = 0.2

(* If the machine takes more than this part of the working time away, it may be the reason why collections
   are long. *)
let least_disturbance = 0.05

(* Time that the machine takes away lengthens whatever is running, and makes the other domains wait at the
   next collection. So only waiting beyond that counts for the collector. The collector's share is estimated
   in two ways; since each is far too large at times, the smaller one counts. First, if work and collections
   lengthen alike, the share stays the same. Second, the time of the phases that were not interrupted is
   compared with the processor time that the program really had. *)
let undisturbed_share (c : Collections.t) ~workers ~lost ~cpu ~at_work =
  let waiting = max 0 (c.waiting_time - (max 1 (workers - 1) * lost)) in
  let in_proportion =
    ratio (c.minor_time + c.major_time + c.other_time + waiting) (at_work - c.waiting_time + waiting)
  in
  match cpu with
  | None -> in_proportion
  | Some cpu -> Float.min in_proportion (ratio (c.steady_time + waiting) (cpu + waiting))

type measured = {
  share : float;
  least : float;  (** the least share that is worth a finding *)
  lost : int;  (** ns that the machine took away; 0 if it took too little to matter *)
}

let measured trace workers (c : Collections.t) =
  let sum state = Array.fold_left (fun total worker -> total + Workers.time_in worker state) 0 workers in
  let collecting = sum Workers.Collecting in
  let at_work = collecting + sum Workers.Running in
  let share = ratio collecting at_work in
  let lost = Surroundings.lost_time trace in
  if ratio lost at_work < least_disturbance then { share; least = least_gc_share; lost = 0 }
  else
    let cpu = Option.map (fun (p : Activity.process) -> p.cpu) (Activity.process trace) in
    let undisturbed = undisturbed_share c ~workers:(Array.length workers) ~lost ~cpu ~at_work in
    (* The estimates get rougher the more time was taken away. *)
    let least = least_gc_share *. (1. +. (0.5 *. ratio lost (lost + Option.value cpu ~default:at_work))) in
    { share = Float.min share undisturbed; least; lost }

(* What does not survive costs a collection nothing: so a larger minor heap, which collects less often, pays
   where little survives. Where much does, each collection gets longer by as much as there are fewer, and the
   minor heap no longer fits the processor's cache. *)
let little_survival = 0.1

let advice (c : Collections.t) survival =
  let little = match survival with Some s -> s < little_survival | None -> false in
  let larger =
    "a larger minor heap (OCAMLRUNPARAM=s=2M, in words per domain, or Weft.run ~minor_heap), of which little \
     survives: try it, and measure"
  in
  if c.waiting_time > c.minor_time && c.waiting_time > c.major_time then
    "Most of that is waiting until all domains stop: use no more domains than processors, run no other \
     programs at the same time, and "
    ^ if little then "collect less often: " ^ larger ^ "." else "allocate less."
  else if c.major_time > c.minor_time then
    "Most of that is the major heap: allocate fewer values that live long, or let the heap grow \
     (OCAMLRUNPARAM=o=200)."
  else if little then "Collect less often: " ^ larger ^ ". Then allocate less."
  else
    match survival with
    | Some _ ->
        "Too much survives for a larger minor heap to help: keep less alive while you allocate (drop it \
         before the fork, not after), or allocate less."
    | None -> "Allocate less."

let findings (trace : Trace.t) workers ~(losses : Losses.t) (c : Collections.t) =
  let { share; least; lost } = measured trace workers c in
  if share < least then []
  else
    let known = trace.duration - Intervals.length losses.gaps in
    let per_second = float_of_int c.minor /. Float.max 1e-9 (float_of_int known /. 1e9) in
    let survival =
      match (c.promoted_words, c.allocated_words) with
      | Some promoted, Some allocated when allocated > 0. -> Some (promoted /. allocated)
      | _ -> None
    in
    let waiting = ratio c.waiting_time (c.minor_time + c.major_time + c.waiting_time + c.other_time) in
    let survived =
      match survival with Some s -> sprintf "; %s of what they saw survived" (percent s) | None -> ""
    in
    let waited =
      if waiting >= 0.3 then sprintf " %s of it was waiting for other domains." (percent waiting) else ""
    in
    let left_out = if lost > 0 then " (without what the machine took away meanwhile)" else "" in
    [
      whole Gc_bound ~share
        ~numbers:
          [
            ("gc_share_of_work", `Float share);
            ("taken_away_ns", `Int lost);
            ("minor_collections", `Int c.minor);
            ("minor_collections_per_second", `Float per_second);
            ("minor_ns", `Int c.minor_time);
            ("major_ns", `Int c.major_time);
            ("waiting_ns", `Int c.waiting_time);
            ("waiting_share_of_gc", `Float waiting);
            ("survival", match survival with Some s -> `Float s | None -> `Null);
          ]
        ~text:
          (sprintf "Collections took %s of the working time%s: %s, %.0f a second%s.%s" (percent share)
             left_out
             (plural c.minor "minor collection" "minor collections")
             per_second survived waited)
        ~advice:(advice c survival);
    ]
