type t = {
  minor : int;
  minor_time : int;
  major_time : int;
  waiting_time : int;
  other_time : int;
  steady_time : int;
  promoted_words : float option;
  allocated_words : float option;
}

type class_ = Minor | Major | Waiting | Other

(* The class of a phase, for its time without the phases inside it. In the phases that stop all domains,
   that time is spent waiting until all domains have stopped, or gone on. *)
let class_of name =
  let is prefix = String.starts_with ~prefix name in
  if
    List.mem name
      [ "stw_api_barrier"; "minor_leave_barrier"; "stw_leader"; "stw_handler"; "interrupt_remote" ]
  then Waiting
  else if is "minor" then Minor
  else if
    is "major" || is "explicit_gc_full" || is "explicit_gc_major" || is "explicit_gc_compact" || is "compact"
  then Major
  else Other

(* {1 Phases} *)

(* [own] is the phase's time without the phases inside it. *)
type phase = { span : Trace.span; mutable own : int }

(* Phases during a search or a sleep take no time from work, so they do not count. *)
let of_track (track : Trace.track) =
  let phases = Dynarray.create () and minor = ref 0 in
  let around = ref [] and idle_stop = ref 0 in
  let note (span : Trace.span) =
    match span.category with
    | Search | Park -> idle_stop := max !idle_stop span.stop
    | Gc when span.name <> "domain_condition_wait" ->
        if span.name = "minor" then incr minor;
        if span.start >= !idle_stop then (
          let rec inside = function
            | outer :: rest when outer.span.stop <= span.start -> inside rest
            | outers -> outers
          in
          let outers = inside !around and phase = { span; own = span.stop - span.start } in
          (match outers with outer :: _ -> outer.own <- outer.own - phase.own | [] -> ());
          Dynarray.add_last phases phase;
          around := phase :: outers)
    | _ -> ()
  in
  Array.iter note track.spans;
  (!minor, phases)

let sum_of_class wanted phases =
  Dynarray.fold_left
    (fun sum phase -> if class_of phase.span.name = wanted then sum + phase.own else sum)
    0 phases

(* {1 Steady time} *)

(* A phase counts as interrupted if it is longer than a time slice and many times as long as the median
   phase of its name. A shorter phase may be that long without an interruption. *)
let least_interruption = 2_000_000
let times_as_long = 8

let steady_time phases =
  let by_name = Hashtbl.create 32 in
  let note phase =
    if class_of phase.span.name <> Waiting then
      match Hashtbl.find_opt by_name phase.span.name with
      | Some found -> Dynarray.add_last found phase.own
      | None -> Hashtbl.add by_name phase.span.name (Dynarray.of_list [ phase.own ])
  in
  Dynarray.iter note phases;
  let of_name _ found total =
    let found = Dynarray.to_array found in
    Array.sort Int.compare found;
    let most = max least_interruption (times_as_long * found.(Array.length found / 2)) in
    let sum, steady =
      Array.fold_left (fun (sum, n) own -> if own > most then (sum, n) else (sum + own, n + 1)) (0, 0) found
    in
    (* At least the median is not above [most], so [steady] is not 0. *)
    total + (sum * Array.length found / steady)
  in
  Hashtbl.fold of_name by_name 0

(* {1 All} *)

let sum_of_samples name trace =
  match Activity.series_named name trace with
  | [] -> None
  | all ->
      let sum (s : Trace.series) = Array.fold_left (fun sum (_, x) -> sum +. x) 0. s.samples in
      Some (List.fold_left (fun total s -> total +. sum s) 0. all)

let of_trace (trace : Trace.t) =
  let phases = Dynarray.create () and minor = ref 0 in
  let add track =
    let minors, found = of_track track in
    minor := max !minor minors;
    Dynarray.append phases found
  in
  Array.iter add trace.tracks;
  {
    minor = !minor;
    minor_time = sum_of_class Minor phases;
    major_time = sum_of_class Major phases;
    waiting_time = sum_of_class Waiting phases;
    other_time = sum_of_class Other phases;
    steady_time = steady_time phases;
    promoted_words = Option.map (fun bytes -> bytes /. 8.) (sum_of_samples "minor_promoted" trace);
    allocated_words = Option.map (fun bytes -> bytes /. 8.) (sum_of_samples "minor_allocated" trace);
  }
