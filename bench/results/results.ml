open Weft_bench_harness

type skipped = { case : string; why : string }
type t = { header : Header.t; rows : Row.t list; skipped : skipped list }

open Decode

(* {1 Rows} *)

let figure t : Row.figure =
  let values = some number (field t "runs") in
  {
    title = string (field t "title");
    values;
    middle = Fields.derived (field t "median") "the median of the runs" (Row.median values);
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

let row t : Row.t =
  let get key read = read (field t key) in
  let seconds = get "seconds" (some above_0) in
  let cpu_runs = get "cpu_runs" (some positive) in
  if List.compare_lengths seconds cpu_runs <> 0 then
    fail (field t "cpu_runs")
      (Printf.sprintf "%d runs, where 'seconds' has %d" (List.length cpu_runs) (List.length seconds));
  let check = get "check" (one_of [ ("ok", true); ("over limit", false) ]) in
  let row : Row.t =
    {
      bench = get "bench" Fields.name;
      grain = get "grain" (one_of Fields.grains);
      method_ = get "method" Fields.name;
      role = get "role" (one_of Fields.roles);
      paced = get "paced" bool;
      domains = get "domains" Fields.domains;
      cutoff = get "cutoff" (nullable (int ~least:1));
      size = get "size" (int ~least:0);
      seconds;
      median = Fields.derived (field t "median") "the median of 'seconds'" (Row.median seconds);
      min =
        Fields.derived (field t "min") "the least of 'seconds'"
          (List.fold_left Float.min Float.infinity seconds);
      ns_per_fork = get "ns_per_fork" (nullable positive);
      ratio_to_sequential = get "ratio_to_sequential" (nullable positive);
      ratio_to_default = get "ratio_to_default" (nullable positive);
      speed_up = get "speed_up" (nullable positive);
      cpu_seconds = Fields.derived (field t "cpu_seconds") "the median of 'cpu_runs'" (Row.median cpu_runs);
      (* Older files do not have it. *)
      cpu_ratio = field_or ~default:None (nullable positive) t "cpu_ratio";
      cpu_runs;
      voluntary_switches = get "voluntary_switches" (nullable positive);
      involuntary_switches = get "involuntary_switches" (nullable positive);
      minor_collections = get "minor_collections" (nullable positive);
      major_collections = get "major_collections" (nullable positive);
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

(* {1 Files} *)

let skipped t = { case = string (field t "case"); why = string (field t "why") }

(* CSV has a column for each. *)
let most_titles = 1000

let check_titles t rows =
  let titles = Hashtbl.create 64 in
  List.iter
    (fun (row : Row.t) ->
      List.iter (fun (figure : Row.figure) -> Hashtbl.replace titles figure.title ()) row.figures)
    rows;
  if Hashtbl.length titles > most_titles then
    fail t (Printf.sprintf "the figures have more than %d different titles" most_titles)

let of_root root =
  let header = Fields.header root in
  if header.kind = Baseline then
    fail
      (field (field root "header") "kind")
      "a stored baseline of ratios, not a results file; only 'weft compare' reads it";
  let skipped = field_or ~default:[] (list skipped) root "skipped" in
  let rows = Fields.rows ~configuration row (field root "rows") in
  check_titles (field root "rows") rows;
  if rows = [] && skipped = [] then fail (field root "rows") "the list is empty";
  { header; rows; skipped }

let of_json json =
  match of_root (root json) with results -> Ok results | exception Bad reason -> Error reason

let read path = Json_text.read_as path of_json
let skipped_to_json { case; why } = `Assoc [ ("case", `String case); ("why", `String why) ]

let to_json t : Yojson.Safe.t =
  let skipped =
    if t.skipped = [] && t.header.kind <> Elastic then []
    else [ ("skipped", `List (List.map skipped_to_json t.skipped)) ]
  in
  `Assoc ([ ("header", Header.to_json t.header); ("rows", `List (List.map Row.to_json t.rows)) ] @ skipped)
