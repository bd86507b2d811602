open Finding
open Words

let sprintf = Printf.sprintf

let stolen_time (trace : Trace.t) =
  match (Activity.machine trace, Activity.processors trace) with
  | Some { stolen; _ }, Some processors -> Float.to_int (stolen *. float_of_int (processors * trace.duration))
  | _ -> 0

let lost_time trace =
  stolen_time trace + match Activity.process trace with Some { waiting; _ } -> waiting | None -> 0

(* {1 Excuses} *)

let busy = 0.05
let least_when_busy = 30_000_000

let is_busy (trace : Trace.t) =
  let processors = Option.value ~default:1 (Activity.processors trace) in
  ratio (lost_time trace) (processors * trace.duration) >= busy

let most_excused = 0.7

let without_processor (trace : Trace.t) =
  let waited (s : Trace.span) = Option.value ~default:0 (Event.int "waited_ns" s.arguments) in
  let stood (s : Trace.span) = s.category = Blocked && waited s > 0 in
  let all = Overlapping.of_list (List.filter stood (Array.to_list trace.apart)) in
  fun ~except start stop ->
    let meanwhile sum (s : Trace.span) =
      if s.track = except then sum else sum + min (waited s) (max 0 (min s.stop stop - max s.start start))
    in
    Overlapping.fold all ~from:start ~until:stop meanwhile 0

let no_track = -1

(* {1 Too many at work} *)

let least_crowded_share = 0.2

let crowded_share (trace : Trace.t) workers ~processors =
  let at_work = List.map (fun w -> Workers.moments w Workers.at_work) (Array.to_list workers) in
  ratio (Intervals.length (Intervals.at_least (processors + 1) at_work)) trace.duration

let of_crowd workers ~(machine : Activity.machine option) ~processors ~crowded =
  let pinned = match machine with Some m -> processors < m.processors | None -> false in
  if crowded < least_crowded_share then []
  else
    [
      whole Oversubscribed ~share:crowded
        ~numbers:
          [
            ("processors", `Int processors);
            ("workers", `Int (Array.length workers));
            ("crowded_share_of_time", `Float crowded);
          ]
        ~text:
          (sprintf "For %s of the time more workers were at work than the %s." (percent crowded)
             (if pinned then plural processors "processor it may use" "processors it may use"
              else plural processors "processor there is" "processors there are"))
        ~advice:"Use as many domains as processors (leave WEFT_DOMAINS and ~domains out), and one pool.";
    ]

(* {1 Others} *)

(* Some waiting is normal: it is due to threads of the tools, of the system and of the program itself. *)
let least_waiting_share = 0.1

(* What the tracer had is said apart. If the program has more workers at work than processors, it waits for
   itself. And other programs cannot have had more time than this program left. *)
let taken_by_others (trace : Trace.t) (p : Activity.process) ~processors =
  let tracer = match Activity.tracer trace with Some (cpu, _) -> cpu | None -> 0 in
  match processors with
  | Some n -> min p.waiting (max 0 ((n * trace.duration) - p.cpu - tracer))
  | None -> p.waiting

let of_others trace ~(machine : Activity.machine option) ~processors ~crowded =
  let stolen = match machine with Some { stolen; _ } -> stolen | None -> 0. in
  let waiting =
    match Activity.process trace with
    | Some process when crowded < least_crowded_share ->
        ratio (taken_by_others trace process ~processors) (process.cpu + process.waiting)
    | _ -> 0.
  in
  let is_stolen = stolen >= least_share and is_waiting = waiting >= least_waiting_share in
  if not (is_stolen || is_waiting) then []
  else
    let of_hypervisor =
      if is_stolen then
        [ sprintf "The hypervisor gave %s of the processors' time to other machines." (percent stolen) ]
      else []
    and of_programs =
      if is_waiting then
        [
          sprintf
            "The program's threads waited for a processor for %s of the time in which they could have run: \
             other programs had it."
            (percent waiting);
        ]
      else []
    in
    [
      whole Machine_busy
        ~share:(Float.min 1. (stolen +. waiting))
        ~numbers:
          [
            ("stolen_share", `Float stolen);
            ("waiting_share", `Float waiting);
            ("processors", match processors with Some n -> `Int n | None -> `Null);
          ]
        ~text:(String.concat " " (of_hypervisor @ of_programs))
        ~advice:"Measure again at a quieter time; long blocks and collections may be their work.";
    ]

(* {1 The tracer} *)

let least_tracer_share = 0.05

let of_tracer trace =
  match Activity.tracer trace with
  | Some (cpu, share) when share >= least_tracer_share ->
      [
        whole Tracer_busy ~share
          ~numbers:[ ("tracer_cpu_ns", `Int cpu); ("tracer_share", `Float share) ]
          ~text:
            (sprintf "weft trace itself took %s of the processors' time (%s)." (percent share) (duration cpu))
          ~advice:
            "The program takes longer while it is traced, most of all where it has many short regions, waits \
             and jobs. Name fewer regions, or trace a part of the run.";
      ]
  | _ -> []

let of_machine trace workers =
  let machine = Activity.machine trace and known = Activity.processors trace in
  let processors = Option.value known ~default:(max_int - 1) in
  let crowded = crowded_share trace workers ~processors in
  of_others trace ~machine ~processors:known ~crowded @ of_crowd workers ~machine ~processors ~crowded

let findings trace workers = of_machine trace workers @ of_tracer trace
