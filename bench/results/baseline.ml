open Weft_bench_harness

type row = {
  bench : string;
  grain : Benchmark.grain;
  method_ : string;
  role : Contestant.role;
  domains : int;
  cutoff : int option;
  size : int;
  ratios : float list;
  ratio : float;
  speed_up : float option;
}

type t = { header : Header.t; rows : row list }

(* {1 From results} *)

(* Pairs the first rounds; rounds that only the longer list has are dropped. *)
let rec pairs xs ys = match (xs, ys) with x :: xs, y :: ys -> (x, y) :: pairs xs ys | _ -> []

let ratios rows (row : Row.t) =
  let is_baseline (other : Row.t) = other.role = Baseline && Row.same_problem other row in
  if row.role = Baseline || row.paced || Row.over_limit row then []
  else
    match List.find_opt is_baseline rows with
    | None -> []
    | Some base ->
        let measured = List.filter (fun (_, base) -> base > 0.) (pairs row.seconds base.seconds) in
        List.map (fun (seconds, base) -> seconds /. base) measured

let of_row rows (row : Row.t) =
  match ratios rows row with
  | [] -> None
  | ratios ->
      Some
        {
          bench = row.bench;
          grain = row.grain;
          method_ = row.method_;
          role = row.role;
          domains = row.domains;
          cutoff = row.cutoff;
          size = row.size;
          ratios;
          ratio = Row.median ratios;
          speed_up = row.speed_up;
        }

let of_results (results : Results.t) =
  match List.filter_map (of_row results.rows) results.rows with
  | [] -> Error "nothing to store: no row has the sequential program of its benchmark and size beside it"
  | rows -> Ok { header = { results.header with kind = Baseline }; rows }

(* {1 JSON} *)

let row_to_json row =
  let option f = function None -> `Null | Some x -> f x in
  `Assoc
    [
      ("bench", `String row.bench);
      ("grain", `String (Row.grain_name row.grain));
      ("method", `String row.method_);
      ("role", `String (Row.role_name row.role));
      ("domains", `Int row.domains);
      ("cutoff", option (fun n -> `Int n) row.cutoff);
      ("size", `Int row.size);
      ("ratios", `List (List.map (fun x -> `Float x) row.ratios));
      ("ratio", `Float row.ratio);
      ("speed_up", option (fun x -> `Float x) row.speed_up);
    ]

let to_json t : Yojson.Safe.t =
  `Assoc [ ("header", Header.to_json t.header); ("rows", `List (List.map row_to_json t.rows)) ]

open Decode

let roles = List.filter (fun (_, role) -> role <> Contestant.Baseline) Fields.roles

let row t =
  let get key read = read (field t key) in
  let ratios = get "ratios" (some positive) in
  {
    bench = get "bench" Fields.name;
    grain = get "grain" (one_of Fields.grains);
    method_ = get "method" Fields.name;
    role = get "role" (one_of roles);
    domains = get "domains" Fields.domains;
    cutoff = get "cutoff" (nullable (int ~least:1));
    size = get "size" (int ~least:0);
    ratios;
    ratio = Fields.derived (field t "ratio") "the median of 'ratios'" (Row.median ratios);
    speed_up = get "speed_up" (nullable positive);
  }

let of_root root =
  let header = Fields.header root in
  if header.kind <> Baseline then
    fail (field (field root "header") "kind") "not a stored baseline, but results";
  let configuration row = (row.bench, row.method_, row.domains, row.cutoff, row.size) in
  let rows = Fields.rows ~configuration row (field root "rows") in
  if rows = [] then fail (field root "rows") "the list is empty";
  { header; rows }

let of_json json = match of_root (root json) with t -> Ok t | exception Bad reason -> Error reason
