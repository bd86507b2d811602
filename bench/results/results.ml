open Weft_bench_harness

type skipped = { case : string; why : string }
type t = { header : Header.t; rows : Row.t list; skipped : skipped list }

open Decode

(* {1 Header} *)

let machine t : Header.machine =
  {
    model = nullable string (field t "model");
    processors = nullable (int ~least:1) (field t "processors");
    affinity = nullable (int ~least:1) (field t "affinity");
    quota = nullable positive (field t "quota");
    kernel = nullable string (field t "kernel");
    hypervisor = nullable bool (field t "hypervisor");
  }

let compiler t : Header.compiler =
  {
    version = string (field t "version");
    flambda = bool (field t "flambda");
    architecture = string (field t "architecture");
    profile = string (field t "profile");
    flags = string (field t "flags");
  }

let share t =
  let x = positive t in
  if x > 1. then fail t (Printf.sprintf "expected a share from 0 to 1, found %g" x) else x

(* The form of [Header.finish]: digits, and the rest as it stands. *)
let date t =
  let text = string t and form = "0000-00-00T00:00:00Z" in
  let is_like c = function '0' -> c >= '0' && c <= '9' | other -> Char.equal c other in
  if
    String.length text = String.length form
    && List.for_all2 is_like (List.of_seq (String.to_seq text)) (List.of_seq (String.to_seq form))
  then text
  else fail t (Printf.sprintf "expected a date such as \"2026-01-31T23:59:59Z\", found %S" text)

let kinds = List.map (fun kind -> (Header.kind_name kind, kind)) [ Header.Bench; Elastic; Baseline ]
let not_ours = "not a results file of 'weft bench --json'"

let check_schema header =
  if not (has header "schema") then
    if has header "format" then
      fail (field header "format")
        (Printf.sprintf "written by an older weft (schema 1; this one reads %d): run the benchmarks again"
           Header.schema)
    else fail header (Printf.sprintf "%s: the key 'schema' is missing" not_ours)
  else
    let schema = int ~least:1 (field header "schema") in
    if schema <> Header.schema then
      fail (field header "schema")
        (Printf.sprintf "%d is of %s weft; this one reads %d" schema
           (if schema > Header.schema then "a newer" else "an older")
           Header.schema)

let header root : Header.t =
  if has root "context" && has root "benchmarks" then
    fail root (not_ours ^ ", but JSON of Google Benchmark: give the file that --json wrote");
  if not (has root "header") then fail root (not_ours ^ ": there is no object 'header' in it");
  let t = field root "header" in
  check_schema t;
  {
    kind = one_of kinds (field t "kind");
    weft = string (field t "weft");
    date = date (field t "date");
    command = list string (field t "command");
    runs = int ~least:1 (field t "runs");
    warm_up = bool (field t "warm_up");
    machine = machine (field t "machine");
    compiler = compiler (field t "compiler");
    minor_heap_words = int ~least:1 (field t "minor_heap_words");
    environment =
      List.map (fun (name, value) -> (name, nullable string value)) (fields (field t "environment"));
    default_domains = int ~least:1 (field t "default_domains");
    fence = one_of [ ("thief", "thief"); ("owner", "owner") ] (field t "fence");
    stolen_share = nullable share (field t "stolen_share");
    load_before = nullable positive (field t "load_before");
    load_after = nullable positive (field t "load_after");
  }

(* {1 Rows} *)

let grains = [ ("cutoff", Benchmark.Cutoff ""); ("chunk", Chunk ""); ("fixed", Fixed) ]
let roles = [ ("baseline", Contestant.Baseline); ("beside", Beside); ("contender", Contender) ]

(* A writer of another language may give fewer digits. *)
let is_about a b = Float.abs (a -. b) <= 1e-6 *. Float.max (Float.abs a) (Float.abs b)

(* [derived t what expected] is the number [t], which is to be [expected]. *)
let derived t what expected =
  let x = number t in
  if is_about x expected then x else fail t (Printf.sprintf "%g is not %s, %g" x what expected)

let figure t : Row.figure =
  let values = some number (field t "runs") in
  {
    title = string (field t "title");
    values;
    middle = derived (field t "median") "the median of the runs" (Row.median values);
  }

let figures t =
  let seen = Hashtbl.create 8 in
  list
    (fun t ->
      let figure = figure t in
      if Hashtbl.mem seen figure.title then
        fail t (Printf.sprintf "there is another figure titled %S" figure.title);
      Hashtbl.add seen figure.title ();
      figure)
    t

let name t = match string t with "" -> fail t "the name is empty" | name -> name

let row t : Row.t =
  let get key read = read (field t key) in
  let seconds = get "seconds" (some positive) in
  let cpu_runs = get "cpu_runs" (some positive) in
  if List.compare_lengths seconds cpu_runs <> 0 then
    fail (field t "cpu_runs")
      (Printf.sprintf "%d runs, where 'seconds' has %d" (List.length cpu_runs) (List.length seconds));
  let check = get "check" (one_of [ ("ok", true); ("over limit", false) ]) in
  let row : Row.t =
    {
      bench = get "bench" name;
      grain = get "grain" (one_of grains);
      method_ = get "method" name;
      role = get "role" (one_of roles);
      paced = get "paced" bool;
      domains = get "domains" (int ~least:1);
      cutoff = get "cutoff" (nullable (int ~least:1));
      size = get "size" (int ~least:0);
      seconds;
      median = derived (field t "median") "the median of 'seconds'" (Row.median seconds);
      min = derived (field t "min") "the least of 'seconds'" (List.fold_left Float.min Float.infinity seconds);
      ns_per_fork = get "ns_per_fork" (nullable positive);
      ratio_to_sequential = get "ratio_to_sequential" (nullable positive);
      ratio_to_default = get "ratio_to_default" (nullable positive);
      speed_up = get "speed_up" (nullable positive);
      cpu_seconds = derived (field t "cpu_seconds") "the median of 'cpu_runs'" (Row.median cpu_runs);
      cpu_runs;
      voluntary_switches = get "voluntary_switches" (nullable positive);
      involuntary_switches = get "involuntary_switches" (nullable positive);
      minor_collections = get "minor_collections" positive;
      major_collections = get "major_collections" positive;
      peak_bytes = get "peak_bytes" (nullable (int ~least:0));
      figures = get "figures" figures;
    }
  in
  if check = Row.over_limit row then
    fail (field t "check")
      (Printf.sprintf "it does not agree with the figures (is there one titled %S?)" Row.over_limit_title);
  row

let configuration (row : Row.t) = (row.bench, row.method_, row.domains, row.cutoff, row.size)
let same_configuration a b = configuration a = configuration b

let rows ~read t =
  let seen = Hashtbl.create 64 in
  let distinct t =
    let row = row t in
    (match Hashtbl.find_opt seen (configuration row) with
    | Some place -> fail t (Printf.sprintf "the same benchmark, method, domains, cutoff and size as %s" place)
    | None -> Hashtbl.add seen (configuration row) (path t));
    row
  in
  read distinct t

(* {1 Files} *)

let skipped t = { case = string (field t "case"); why = string (field t "why") }

let of_root root =
  let header = header root in
  if header.kind = Baseline then
    fail
      (field (field root "header") "kind")
      "a stored baseline of ratios, not a results file; only 'weft compare' reads it";
  let skipped = field_or ~default:[] (list skipped) root "skipped" in
  let read = if skipped = [] then some else list in
  { header; rows = rows ~read (field root "rows"); skipped }

let of_json json =
  match of_root (root json) with results -> Ok results | exception Bad reason -> Error reason

let named path = Result.map_error (fun reason -> Printf.sprintf "%s: %s" (Json_text.shown path) reason)
let read path = Result.bind (Json_text.read path) (fun json -> named path (of_json json))
let skipped_to_json { case; why } = `Assoc [ ("case", `String case); ("why", `String why) ]

let to_json t : Yojson.Safe.t =
  let skipped =
    match t.header.kind with
    | Elastic -> [ ("skipped", `List (List.map skipped_to_json t.skipped)) ]
    | Bench | Baseline -> []
  in
  `Assoc ([ ("header", Header.to_json t.header); ("rows", `List (List.map Row.to_json t.rows)) ] @ skipped)
