open Weft_bench_harness

type t = { usual : Benchmark.t list; on_request : Benchmark.t list; large : Benchmark.t list }

let make ?(on_request = []) ?(large = []) usual = { usual; on_request; large }

let is_in benchmarks (b : Benchmark.t) =
  List.exists (fun (a : Benchmark.t) -> String.equal a.name b.name) benchmarks

(* Puts each large benchmark after the others of its group, or at the end. *)
let benchmarks { usual; on_request; large } =
  let rec insert (b : Benchmark.t) = function
    | [] -> [ b ]
    | (a : Benchmark.t) :: rest ->
        let last = not (List.exists (fun (c : Benchmark.t) -> c.group = b.group) rest) in
        if Option.is_some b.group && a.group = b.group && last then a :: b :: rest else a :: insert b rest
  in
  List.fold_left (fun all b -> insert b all) (usual @ on_request) large

(* {1 Names} *)

type named = One of Benchmark.t | Group of string * Benchmark.t list | All

let all = "all"

let groups t =
  let benchmarks = benchmarks t in
  let members group = List.filter (fun (b : Benchmark.t) -> b.group = Some group) benchmarks in
  let add seen (b : Benchmark.t) =
    match b.group with
    | Some name when not (List.mem_assoc name seen) -> seen @ [ (name, members name) ]
    | _ -> seen
  in
  List.fold_left add [] benchmarks

let names t =
  List.map (fun b -> One b) (benchmarks t)
  @ List.map (fun (name, members) -> Group (name, members)) (groups t)
  @ [ All ]

let name = function One b -> b.name | Group (name, _) -> name | All -> all

(* {1 Choices} *)

type choice = { benchmarks : Benchmark.t list; everything : bool; by_name : bool }

let choose t ~large named =
  let allowed b = large || not (is_in t.large b) in
  let members = function
    | One b -> [ b ]
    | Group (_, members) when List.for_all (is_in t.large) members -> members
    | Group (_, members) -> List.filter allowed members
    | All -> List.filter allowed (benchmarks t)
  in
  let everything = List.exists (function All -> true | One _ | Group _ -> false) named in
  let nothing_named = List.is_empty named in
  let is_one = function One _ -> true | Group _ | All -> false in
  let by_name = (not nothing_named) && List.for_all is_one named in
  let benchmarks =
    if nothing_named then List.filter (fun b -> allowed b && not (is_in t.on_request b)) (benchmarks t)
    else List.concat_map members named
  in
  match
    Arguments.repeated (fun (a : Benchmark.t) (b : Benchmark.t) -> String.equal a.name b.name) benchmarks
  with
  | Some (b, _) -> Error (Printf.sprintf "benchmark '%s' is given twice" b.name)
  | None -> Ok { benchmarks; everything; by_name }
