open Weft_bench_elastic

let elastic_programs =
  List.concat_map
    (fun (case : Case.t) -> List.map (fun (program : Case.program) -> (case, program)) case.programs)
    Case.all

let elastic_program bench =
  List.find_opt (fun (case, program) -> String.equal (Case.row_name case program) bench) elastic_programs

let elastic bench =
  Option.map
    (fun ((case : Case.t), (program : Case.program)) -> (case.name, program.label))
    (elastic_program bench)

let is_foreign method_ =
  List.exists
    (fun (p : Weft_bench_foreign.Programs.t) -> String.equal p.name method_)
    Weft_bench_foreign.Programs.all

(* The names of Weft's methods. *)
let is_of_weft method_ =
  List.mem method_
    [
      "par";
      "async";
      "scope-async";
      "pool-async";
      "outside-async";
      "loop";
      "array";
      "fibers";
      "select";
      "submit";
      "exec_many";
      "batched";
      "weft";
    ]

let kind bench =
  match elastic_program bench with Some (_, program) -> program.benchmark.name | None -> bench

let judged =
  let open Weft_bench_harness in
  let takes_part (b : Benchmark.t) =
    (not b.paced) && List.exists (fun (w : Benchmark.way) -> is_of_weft w.contestant.name) b.ways
  in
  let all = Weft_bench_suites.Suites.all @ Weft_bench_batch.Batch_suites.all in
  List.map (fun (b : Benchmark.t) -> b.name) (List.filter takes_part all)
