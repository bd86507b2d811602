open Weft_bench_harness

type measure = Seconds | Ratio | Figure of string

type subject = {
  bench : string;
  size : int;
  cutoff : int option;
  method_ : string;
  domains : int;
  measure : measure;
}

type row = {
  subject : subject;
  grain : Benchmark.grain;
  plain : bool;
  values : float list;
  over_limit : bool;
}

type t = { path : string; header : Header.t; rows : row list; without_ratio : int }

(* {1 Rows} *)

let of_row (row : Row.t) measure values =
  let { Row.bench; size; cutoff; method_; domains; grain; role; _ } = row in
  {
    subject = { bench; size; cutoff; method_; domains; measure };
    grain;
    plain = Contestant.is_plain role;
    values;
    over_limit = Row.over_limit row;
  }

(* Figures that are differences may be below 0; then no ratio says how much worse they are. *)
let is_comparable (figure : Row.figure) =
  Option.is_some (Figure.lower_is_better figure.title) && List.for_all (fun x -> x >= 0.) figure.values

let of_times (row : Row.t) =
  if row.paced then
    List.map
      (fun (figure : Row.figure) -> of_row row (Figure figure.title) figure.values)
      (List.filter is_comparable row.figures)
  else [ of_row row Seconds row.seconds ]

let by_times path ({ header; rows; _ } : Results.t) =
  { path; header; rows = List.concat_map of_times rows; without_ratio = 0 }

let by_ratios path ({ header; rows; _ } : Results.t) =
  let others = List.filter (fun (row : Row.t) -> row.role <> Baseline) rows in
  let of_others (row : Row.t) =
    match Baseline.ratios rows row with [] -> None | values -> Some (of_row row Ratio values)
  in
  let found = List.filter_map of_others others in
  { path; header; rows = found; without_ratio = List.length others - List.length found }

let of_baseline path ({ header; rows } : Baseline.t) =
  let of_row ({ bench; size; cutoff; method_; domains; grain; role; ratios; _ } : Baseline.row) =
    {
      subject = { bench; size; cutoff; method_; domains; measure = Ratio };
      grain;
      plain = Contestant.is_plain role;
      values = ratios;
      over_limit = false;
    }
  in
  { path; header; rows = List.map of_row rows; without_ratio = 0 }

(* {1 Files} *)

type file = Results of Results.t | Baseline of Baseline.t

let of_json json =
  match Fields.header (Decode.root json) with
  | exception Decode.Bad reason -> Error reason
  | { kind = Baseline; _ } -> Result.map (fun baseline -> Baseline baseline) (Baseline.of_json json)
  | { kind = Bench | Elastic; _ } -> Result.map (fun results -> Results results) (Results.of_json json)

let read path = Result.map (fun file -> (path, file)) (Json_text.read_as path of_json)
let is_baseline = function _, Baseline _ -> true | _, Results _ -> false

let read_pair ~ratios a b =
  let ( let* ) = Result.bind in
  let* a = read a in
  let* b = read b in
  let by = if ratios || is_baseline a || is_baseline b then by_ratios else by_times in
  let side = function
    | path, Results results -> by path results
    | path, Baseline baseline -> of_baseline path baseline
  in
  Ok (side a, side b)

(* {1 Text} *)

let measure_name = function Seconds -> "seconds" | Ratio -> "x sequential" | Figure title -> title

(* A plain program has no cutoff. *)
let case { subject = { bench; size; cutoff; _ }; grain; plain; _ } =
  Benchmark.case ~name:bench ~grain:(if plain then Fixed else grain) ~size cutoff

let describe ({ subject = { method_; domains; measure; _ }; _ } as row) =
  Printf.sprintf "%s, %s, %d domain%s%s" (case row) method_ domains
    (if domains = 1 then "" else "s")
    (match measure with Seconds | Ratio -> "" | Figure title -> ", " ^ title)
