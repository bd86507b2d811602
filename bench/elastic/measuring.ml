open Weft_bench_harness

(* {1 Plan} *)

type choice = {
  cases : Case.t list;
  methods : string list option;
  workloads : string list option;
  domains : int list option;
  share : Case.t -> float;
}

type entry = { case : Case.t; program : Case.program; config : Plan.config }

let chosen names name = Option.fold names ~none:true ~some:(List.mem name)

let of_program choice (case : Case.t) (program : Case.program) =
  let size = program.size (choice.share case) in
  let domains =
    match choice.domains with Some domains when case.any_domains -> domains | _ -> case.domains
  in
  let configs (way : Benchmark.way) =
    let name = way.contestant.name in
    if not (List.mem name program.methods && chosen choice.methods name) then []
    else
      let config domains =
        let params = { Benchmark.size; cutoff = program.cutoff; domains } in
        let config work = { Plan.benchmark = program.benchmark; contestant = way.contestant; params; work } in
        Option.map config (way.work params)
      in
      List.filter_map config (if Contestant.is_plain way.contestant.role then [ 1 ] else domains)
  in
  List.map (fun config -> { case; program; config }) (List.concat_map configs program.benchmark.ways)

let of_case choice (case : Case.t) =
  let is_chosen (program : Case.program) =
    String.equal program.label "" || chosen choice.workloads program.label
  in
  List.concat_map (of_program choice case) (List.filter is_chosen case.programs)

let has_workloads (case : Case.t) =
  List.exists (fun (program : Case.program) -> not (String.equal program.label "")) case.programs

(* A message if the user gave an option that none of the chosen cases takes. *)
let unheeded choice =
  let is_lost option heeds =
    if Option.is_none option || List.exists heeds choice.cases then None
    else Some (String.concat ", " (List.map (fun (case : Case.t) -> case.name) (List.filter heeds Case.all)))
  in
  let tell option = Option.map (Printf.sprintf "%s is for %s, and none of these is chosen" option) in
  match tell "--domains" (is_lost choice.domains (fun case -> case.any_domains)) with
  | Some _ as message -> message
  | None -> tell "--workload" (is_lost choice.workloads has_workloads)

let plan choice =
  let add entries (case : Case.t) =
    Result.bind entries (fun entries ->
        match of_case choice case with
        | [] -> Error (case.name ^ ": nothing to run with this choice of methods and workloads (see --list)")
        | more -> Ok (entries @ more))
  in
  match unheeded choice with Some message -> Error message | None -> List.fold_left add (Ok []) choice.cases

(* {1 What the system allows} *)

type skipped = { case : Case.t; why : string }

(* In seconds; a tenth of a second would be enough. *)
let time_to_start = 20.

let quota_refused ?root ~program processors =
  let try_group group = Processes.run ~limit:time_to_start program (Child.join group) in
  match Cpu_group.with_quota ?root ~processors try_group with
  | Ok (Exited _) -> None
  | Ok (Failed reason) -> Some ("a process cannot enter a control group: " ^ reason)
  | Ok Over_limit -> Some "a process cannot enter a control group in time"
  | Error reason -> Some reason

let possible ?root ~program entries =
  let add seen (entry : entry) =
    if List.exists (fun (case : Case.t) -> String.equal case.name entry.case.name) seen then seen
    else seen @ [ entry.case ]
  in
  let cases = List.fold_left add [] entries in
  let skip (case : Case.t) =
    match case.condition with
    | Alone | Neighbours _ | Twin -> None
    | Quota processors -> Option.map (fun why -> { case; why }) (quota_refused ?root ~program processors)
  in
  let skipped = List.filter_map skip cases in
  let is_skipped (entry : entry) =
    List.exists (fun ({ case; _ } : skipped) -> String.equal case.name entry.case.name) skipped
  in
  (List.filter (fun entry -> not (is_skipped entry)) entries, skipped)

(* {1 Runs} *)

exception Failed of string

type outcome = Run of Child.run | Killed of { cpu_seconds : float }

let cpu_of_children () =
  let times = Unix.times () in
  times.tms_cutime +. times.tms_cstime

let run_child ?group ~program ~limit config =
  let cpu = cpu_of_children () in
  match Processes.run ~limit program (Child.measure ?group ~limit config) with
  | Exited output -> (
      match Child.parse output with Ok run -> Run run | Error reason -> raise (Failed reason))
  | Failed reason -> raise (Failed reason)
  | Over_limit -> Killed { cpu_seconds = cpu_of_children () -. cpu }

let run_once ~program ~limit { case; config; program = _ } =
  let beside arguments f =
    try Processes.beside ~limit:time_to_start program arguments f
    with Failure reason -> raise (Failed reason)
  in
  let time_of_both = limit +. time_to_start in
  let rec beside_spinning n f =
    if n = 0 then f () else beside (Child.spin ~limit:time_of_both) (fun () -> beside_spinning (n - 1) f)
  in
  match case.condition with
  | Alone -> run_child ~program ~limit config
  | Neighbours n -> beside_spinning n (fun () -> run_child ~program ~limit config)
  | Twin -> beside (Child.repeat ~limit:time_of_both config) (fun () -> run_child ~program ~limit config)
  | Quota processors -> (
      match Cpu_group.with_quota ~processors (fun group -> run_child ~group ~program ~limit config) with
      | Ok outcome -> outcome
      | Error reason -> raise (Failed reason))

(* {1 Rows} *)

let sample ~limit = function
  | Run { sample; _ } -> sample
  | Killed { cpu_seconds } ->
      {
        Meter.seconds = limit;
        cpu_seconds;
        switches = None;
        minor_collections = None;
        major_collections = None;
        peak_bytes = None;
      }

let figures = function Run { figures; _ } -> figures | Killed _ -> []
let is_killed = function Killed _ -> true | Run _ -> false

let row ~limit ({ case; program; config }, outcomes) =
  let samples = List.map (sample ~limit) outcomes and figures = List.map figures outcomes in
  let row = { (Row.alone { config; samples; figures }) with bench = Case.row_name case program } in
  match List.length (List.filter is_killed outcomes) with
  | 0 -> row
  | n ->
      let n = float_of_int n in
      { row with figures = row.figures @ [ { title = Row.over_limit_title; values = [ n ]; middle = n } ] }

let compared rows (case : Case.t) (row : Row.t) =
  Row.with_cpu_ratio rows { row with figures = row.figures @ case.compare rows row }

let describe (entry : entry) = entry.case.name ^ ": " ^ Plan.describe entry.config

let run ?(so_far = fun _ _ -> ()) ~program ~runs ~limit ~progress entries =
  if runs < 1 then invalid_arg "Measuring.run: runs < 1";
  (* The children get this number: beside other processes it would be measured wrong. *)
  ignore (Weft_bench_suites.Microseconds.per_microsecond () : int);
  let slots = List.map (fun entry -> (entry, ref [])) entries in
  let rows () =
    let measured = List.filter (fun (_, outcomes) -> not (List.is_empty !outcomes)) slots in
    let rows = List.map (fun (entry, outcomes) -> row ~limit (entry, List.rev !outcomes)) measured in
    List.map2 (fun ((entry : entry), _) row -> compared rows entry.case row) measured rows
  in
  let one ~round (entry, outcomes) =
    if not (List.exists is_killed !outcomes) then (
      progress ~round entry;
      match run_once ~program ~limit entry with
      | outcome ->
          outcomes := outcome :: !outcomes;
          if round = 1 then so_far 0 (rows ())
      | exception Failed reason -> raise (Failed (describe entry ^ ": " ^ reason)))
    else progress ~round entry
  in
  let together ((entry : entry), _) = entry.case.name ^ " " ^ entry.program.label in
  match
    for round = 1 to runs do
      List.iter (one ~round) (Rounds.order ~round ~together slots);
      so_far round (rows ())
    done
  with
  | exception Failed reason -> Error reason
  | () -> Ok (rows ())
