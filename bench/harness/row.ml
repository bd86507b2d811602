type figure = { title : string; values : float list; middle : float }

type t = {
  bench : string;
  grain : Benchmark.grain;
  method_ : string;
  role : Contestant.role;
  paced : bool;
  domains : int;
  cutoff : int option;
  size : int;
  seconds : float list;
  median : float;
  min : float;
  ns_per_fork : float option;
  ratio_to_sequential : float option;
  ratio_to_default : float option;
  speed_up : float option;
  cpu_seconds : float;
  cpu_ratio : float option;
  cpu_runs : float list;
  voluntary_switches : float option;
  involuntary_switches : float option;
  minor_collections : float option;
  major_collections : float option;
  peak_bytes : int option;
  figures : figure list;
}

let median xs =
  if xs = [] then invalid_arg "Row.median: no numbers";
  let a = Array.of_list (List.sort Float.compare xs) in
  let n = Array.length a in
  if n mod 2 = 1 then a.(n / 2) else (a.((n / 2) - 1) +. a.(n / 2)) /. 2.

(* [of_all get xs] is [get] of every element, or [None] if it is [None] for one of them. *)
let of_all get xs =
  let found = List.filter_map get xs in
  if List.compare_lengths found xs = 0 then Some found else None

(* Every bucket that some run has, ordered by what it counts and where it begins; a run that does not have
   it counts as 0. *)
let buckets (runs : Figure.t list list) =
  let of_figure (figure : Figure.t) =
    Option.map (fun bucket -> (bucket, figure.title)) (Figure.bucket_of_title figure.title)
  in
  let all = List.sort_uniq compare (List.concat_map (List.filter_map of_figure) runs) in
  let across title =
    let count run =
      let found = List.find_opt (fun (figure : Figure.t) -> String.equal figure.title title) run in
      match found with Some figure -> figure.value | None -> 0.
    in
    let values = List.map count runs in
    { title; values; middle = median values }
  in
  List.map (fun (_, title) -> across title) all

(* [across runs] is each figure of the first run that all runs have, with its values in all of them. *)
let across runs =
  let of_title title =
    let find run = List.find_opt (fun (figure : Figure.t) -> String.equal figure.title title) run in
    Option.map
      (fun found ->
        let values = List.map (fun (figure : Figure.t) -> figure.value) found in
        { title; values; middle = median values })
      (of_all find runs)
  in
  match runs with
  | [] -> []
  | first :: _ ->
      let is_bucket (figure : Figure.t) = Option.is_some (Figure.bucket_of_title figure.title) in
      let others = List.filter (fun figure -> not (is_bucket figure)) first in
      List.filter_map (fun (figure : Figure.t) -> of_title figure.title) others @ buckets runs

let alone { Runner.config = { benchmark; contestant; params; work }; samples; figures } =
  let (Work { forks; _ }) = work in
  let median_of get = median (List.map get samples) in
  let switches get =
    Option.map median (of_all (fun s -> Option.map (fun s -> float_of_int (get s)) s.Meter.switches) samples)
  in
  let collections get = Option.map median (of_all (fun s -> Option.map float_of_int (get s)) samples) in
  let seconds = List.map (fun s -> s.Meter.seconds) samples in
  let median_seconds = median seconds in
  {
    bench = benchmark.name;
    grain = benchmark.grain;
    method_ = contestant.name;
    role = contestant.role;
    paced = benchmark.paced;
    domains = params.domains;
    cutoff = params.cutoff;
    size = params.size;
    seconds;
    median = median_seconds;
    min = List.fold_left Float.min Float.infinity seconds;
    ns_per_fork =
      Option.bind forks (fun n -> if n > 0 then Some (median_seconds *. 1e9 /. float_of_int n) else None);
    ratio_to_sequential = None;
    ratio_to_default = None;
    speed_up = None;
    cpu_seconds = median_of (fun s -> s.Meter.cpu_seconds);
    cpu_ratio = None;
    cpu_runs = List.map (fun s -> s.Meter.cpu_seconds) samples;
    voluntary_switches = switches (fun s -> s.Proc.voluntary);
    involuntary_switches = switches (fun s -> s.Proc.involuntary);
    minor_collections = collections (fun s -> s.Meter.minor_collections);
    major_collections = collections (fun s -> s.Meter.major_collections);
    peak_bytes = Option.map (List.fold_left max 0) (of_all (fun s -> s.Meter.peak_bytes) samples);
    figures = across figures;
  }

let same_problem a b = String.equal a.bench b.bench && a.size = b.size
let baseline rows row = List.find_opt (fun other -> other.role = Baseline && same_problem other row) rows

let with_cpu_ratio rows row =
  let ratio base =
    if row.cpu_seconds > 0. && base.cpu_seconds > 0. then Some (row.cpu_seconds /. base.cpu_seconds) else None
  in
  { row with cpu_ratio = Option.bind (baseline rows row) ratio }

let compare_times rows row =
  let same_method ~domains ~cutoff =
    List.find_opt
      (fun other ->
        other.domains = domains && same_problem other row
        && String.equal other.method_ row.method_
        && Option.equal Int.equal other.cutoff cutoff)
      rows
  in
  let by_default =
    if Option.is_none row.cutoff then None else same_method ~domains:row.domains ~cutoff:None
  in
  let on_one_domain = same_method ~domains:1 ~cutoff:row.cutoff in
  if row.paced then { row with ratio_to_sequential = None; ratio_to_default = None; speed_up = None }
  else
    {
      row with
      ratio_to_sequential = Option.map (fun base -> row.median /. base.median) (baseline rows row);
      ratio_to_default = Option.map (fun default -> row.median /. default.median) by_default;
      speed_up = Option.map (fun one -> one.median /. row.median) on_one_domain;
    }

let compare_all rows = List.map (fun row -> with_cpu_ratio rows (compare_times rows row)) rows
let own_title = "x own sequential"

(* The ratios of times of the same round, for the rounds that both have been in. *)
let rec ratios xs ys =
  match (xs, ys) with
  | x :: xs, y :: ys when y > 0. -> (x /. y) :: ratios xs ys
  | _ :: xs, _ :: ys -> ratios xs ys
  | _ -> []

let beside_own ~own rows row =
  let is_own name other = String.equal other.method_ name && same_problem other row in
  match Option.bind (own row.method_) (fun name -> List.find_opt (is_own name) rows) with
  | None -> row
  | Some other -> (
      match ratios row.seconds other.seconds with
      | [] -> row
      | values ->
          { row with figures = row.figures @ [ { title = own_title; values; middle = median values } ] })

let of_measured ?(own = Fun.const None) measured =
  let rows = compare_all (List.map alone measured) in
  List.map (beside_own ~own rows) rows

let grain_name = function Benchmark.Cutoff _ -> "cutoff" | Chunk _ -> "chunk" | Fixed -> "fixed"
let role_name = function Contestant.Baseline -> "baseline" | Beside -> "beside" | Contender -> "contender"
let over_limit_title = "over limit"
let over_limit row = List.exists (fun figure -> String.equal figure.title over_limit_title) row.figures

let figure_to_json { title; values; middle } =
  let runs = List.map (fun x -> `Float x) values in
  `Assoc [ ("title", `String title); ("median", `Float middle); ("runs", `List runs) ]

let to_json row : Yojson.Safe.t =
  let float x = `Float x in
  let option f = function None -> `Null | Some x -> f x in
  let int n = `Int n in
  `Assoc
    [
      ("bench", `String row.bench);
      ("grain", `String (grain_name row.grain));
      ("method", `String row.method_);
      ("role", `String (role_name row.role));
      ("paced", `Bool row.paced);
      ("domains", `Int row.domains);
      ("cutoff", option int row.cutoff);
      ("size", `Int row.size);
      ("seconds", `List (List.map float row.seconds));
      ("median", `Float row.median);
      ("min", `Float row.min);
      ("ns_per_fork", option float row.ns_per_fork);
      ("ratio_to_sequential", option float row.ratio_to_sequential);
      ("ratio_to_default", option float row.ratio_to_default);
      ("speed_up", option float row.speed_up);
      ("check", `String (if over_limit row then "over limit" else "ok"));
      ("cpu_seconds", `Float row.cpu_seconds);
      ("cpu_ratio", option float row.cpu_ratio);
      ("cpu_runs", `List (List.map float row.cpu_runs));
      ("voluntary_switches", option float row.voluntary_switches);
      ("involuntary_switches", option float row.involuntary_switches);
      ("minor_collections", option float row.minor_collections);
      ("major_collections", option float row.major_collections);
      ("peak_bytes", option int row.peak_bytes);
      ("figures", `List (List.map figure_to_json row.figures));
    ]
