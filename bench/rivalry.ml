open Weft_bench_harness
open Weft_bench_rivals
open Weft_bench_foreign
open Weft_bench_contestants

let foreign = Foreign.make ~folder:(Programs.folder ()) Programs.all
let ways = Rivals.ways Rivals.all @ foreign.ways
let missing = Rivals.missing Rivals.all @ foreign.missing @ Weft_bench_suites.Data_files.missing

let join =
  let of_benchmark (b : Benchmark.t) (name, way) = if String.equal name b.name then Some way else None in
  List.map (fun (b : Benchmark.t) -> { b with ways = b.ways @ List.filter_map (of_benchmark b) ways })

let own name =
  let is_it (program : Programs.t) = String.equal program.name name in
  if String.equal name Weft_pool.book.name then Some Plain.same_steps.name
  else Option.bind (List.find_opt is_it Programs.all) (fun (program : Programs.t) -> program.own)

let version name =
  match List.assoc_opt name Weft_bench_rivals.Versions.all with
  | Some version -> Some version
  | None -> Programs.version ~folder:(Programs.folder ()) name

let is_foreign (contestant : Contestant.t) =
  List.exists (fun (program : Programs.t) -> String.equal program.name contestant.name) Programs.all

let is_rival contestant =
  List.exists (fun (_, (way : Benchmark.way)) -> Contestant.equal way.contestant contestant) ways
