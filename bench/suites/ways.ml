open Weft_bench_harness
open Weft_bench_contestants

type ('input, 'result) problem = {
  prepare : unit -> 'input;
  check : 'result -> (unit, Benchmark.wrong) result;
}

let way contestant problem compute : Benchmark.way =
  let work (params : Benchmark.params) =
    let { prepare; check } = problem params.size in
    Option.map
      (fun compute ->
        Benchmark.Work { prepare; compute; check; forks = None; figures = Benchmark.no_figures })
      (compute params)
  in
  { contestant; work }

let domain_spawn problem compute =
  way Domain_spawn.contestant problem (fun { domains; cutoff; _ } ->
      if domains > 1 && Option.is_none cutoff then Some (compute ~domains) else None)

type for_ = start:int -> finish:int -> body:(int -> unit) -> unit
type loop = Loop : (int -> ('input, 'result) problem) * (for_ -> 'input -> 'result) -> loop

let by_loop (Loop (problem, program)) contestant for_ =
  way contestant problem (fun params -> Some (program (for_ params)))

let of_loops problem ~program ~in_place =
  let weft_for chunk_size ~start ~finish ~body = Weft.parallel_for ?chunk_size ~start ~finish ~body () in
  [
    way Plain.contestant problem (fun _ -> Some (program Plain.for_));
    way Plain.in_place problem (fun _ -> Some in_place);
    way Weft_pool.loop problem (fun { cutoff; _ } -> Some (program (weft_for cutoff)));
    domain_spawn problem (fun ~domains -> program (Domain_spawn.for_ ~domains));
  ]

let chunk_doc = "the greatest number of iterations that run in a row"
