open Weft_bench_harness

(* {1 Context} *)

(* Weft's dates end in Z, which some readers of Google's format do not accept. *)
let date text = String.sub text 0 (String.length text - 1) ^ "+00:00"

let context ({ machine; compiler; _ } as header : Header.t) =
  `Assoc
    [
      ("date", `String (date header.date));
      ("host_name", `String "");
      ("executable", `String (String.concat " " header.command));
      ("num_cpus", `Int (Option.value machine.processors ~default:1));
      ("mhz_per_cpu", `Int 0);
      ("cpu_scaling_enabled", `Bool false);
      ("caches", `List []);
      ("load_avg", `List (Option.to_list (Option.map (fun x -> `Float x) header.load_before)));
      ("library_version", `String header.weft);
      ("library_build_type", `String (if String.equal compiler.profile "dev" then "debug" else "release"));
      ("json_schema_version", `Int 1);
      (* These entries are strings, like those that a program of Google Benchmark adds. *)
      ("processor", `String (Option.value machine.model ~default:""));
      ("ocaml_version", `String compiler.version);
      ("ocaml_flambda", `String (string_of_bool compiler.flambda));
    ]

(* {1 Statistics} *)

let mean xs = List.fold_left ( +. ) 0. xs /. float_of_int (List.length xs)

(* The standard deviation of a sample: divides by n - 1. *)
let stddev xs =
  let mean = mean xs in
  let squares = List.fold_left (fun sum x -> sum +. ((x -. mean) *. (x -. mean))) 0. xs in
  sqrt (squares /. float_of_int (List.length xs - 1))

let cv xs = if mean xs = 0. then 0. else stddev xs /. mean xs

(* {1 Entries} *)

let name (row : Row.t) =
  Printf.sprintf "%s/%s/size:%d%s/domains:%d" row.bench row.method_ row.size
    (match (row.grain, row.cutoff) with
    | Fixed, None -> ""
    | Cutoff _, None -> "/cutoff:none"
    | Chunk _, None -> "/chunk:default"
    | Chunk _, Some n -> Printf.sprintf "/chunk:%d" n
    | (Cutoff _ | Fixed), Some n -> Printf.sprintf "/cutoff:%d" n)
    row.domains

let own_keys =
  [
    "name"; "family_index"; "per_family_instance_index"; "run_name"; "run_type"; "repetitions";
    "repetition_index"; "threads"; "aggregate_name"; "aggregate_unit"; "iterations"; "real_time"; "cpu_time";
    "time_unit"; "label"; "error_occurred"; "error_message"; "skipped"; "skip_message";
  ]
  [@@ocamlformat "disable"]

(* The name of a counter must differ from the keys of the format. *)
let counter (title, x) = ((if List.mem title own_keys then "figure " ^ title else title), `Float x)

(* The figures that have a value for each run of the row. *)
let per_run (row : Row.t) =
  List.filter (fun (f : Row.figure) -> List.compare_lengths f.values row.seconds = 0) row.figures

let medians_only (row : Row.t) =
  let known (key, value) = Option.map (fun x -> (key, x)) value in
  let others =
    List.filter (fun (f : Row.figure) -> List.compare_lengths f.values row.seconds <> 0) row.figures
  in
  List.map (fun (f : Row.figure) -> (f.title, f.middle)) others
  @ List.filter_map known
      [
        ("voluntary_switches", row.voluntary_switches);
        ("involuntary_switches", row.involuntary_switches);
        ("minor_collections", row.minor_collections);
        ("major_collections", row.major_collections);
        ("peak_bytes", Option.map float_of_int row.peak_bytes);
        ("ns_per_fork", row.ns_per_fork);
        ("ratio_to_sequential", row.ratio_to_sequential);
        ("speed_up", row.speed_up);
        ("cpu_ratio", row.cpu_ratio);
      ]

let nanoseconds seconds = seconds *. 1e9

let entry family (row : Row.t) ~repetitions ~suffix fields ~iterations ~real ~cpu counters =
  let head =
    [
      ("name", `String (name row ^ suffix));
      ("family_index", `Int family);
      ("per_family_instance_index", `Int 0);
      ("run_name", `String (name row));
    ]
  in
  let times =
    [
      ("iterations", `Int iterations);
      ("real_time", `Float real);
      ("cpu_time", `Float cpu);
      ("time_unit", `String "ns");
    ]
  in
  `Assoc
    (head @ fields
    @ (("repetitions", `Int repetitions) :: ("threads", `Int row.domains) :: times)
    @ List.map counter counters)

let iterations family (row : Row.t) ~repetitions ~counters =
  let cpu = Array.of_list row.cpu_runs in
  let figures = List.map (fun (f : Row.figure) -> (f.title, Array.of_list f.values)) (per_run row) in
  let iteration index seconds =
    entry family row ~repetitions ~suffix:""
      [ ("run_type", `String "iteration"); ("repetition_index", `Int index) ]
      ~iterations:1 ~real:(nanoseconds seconds)
      ~cpu:(nanoseconds cpu.(index))
      (List.map (fun (title, values) -> (title, values.(index))) figures @ counters)
  in
  List.mapi iteration row.seconds

(* [unit] is the unit in the format's sense: a cv is not a time, so it is not scaled. *)
let aggregate family row ~repetitions ~counters (name, unit, f) =
  let scale = match unit with `Time -> nanoseconds | `Percentage -> Fun.id in
  let unit = match unit with `Time -> "time" | `Percentage -> "percentage" in
  let figures = List.map (fun (figure : Row.figure) -> (figure.title, f figure.values)) (per_run row) in
  entry family row ~repetitions ~suffix:("_" ^ name)
    [ ("run_type", `String "aggregate"); ("aggregate_name", `String name); ("aggregate_unit", `String unit) ]
    ~iterations:repetitions
    ~real:(scale (f row.seconds))
    ~cpu:(scale (f row.cpu_runs))
    (figures @ counters name)

let aggregates =
  [ ("mean", `Time, mean); ("median", `Time, Row.median); ("stddev", `Time, stddev); ("cv", `Percentage, cv) ]

let of_row family (row : Row.t) =
  let medians = medians_only row and repetitions = List.length row.seconds in
  match row.seconds with
  | [] | [ _ ] -> iterations family row ~repetitions ~counters:medians
  | _ ->
      let counters name = if String.equal name "median" then medians else [] in
      iterations family row ~repetitions ~counters:[]
      @ List.map (aggregate family row ~repetitions ~counters) aggregates

let of_results ({ header; rows; _ } : Results.t) =
  `Assoc [ ("context", context header); ("benchmarks", `List (List.concat (List.mapi of_row rows))) ]
