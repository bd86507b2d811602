open Weft_bench_harness
open Weft_bench_suites

module Make (R : Entered.S) = struct
  let for_ ({ cutoff; _ } : Benchmark.params) ~start ~finish ~body =
    R.parallel_for (R.here ()) ?chunk_size:cutoff ~start ~finish ~body ()

  let reduce ({ cutoff; _ } : Benchmark.params) ~start ~finish ~body combine init =
    R.reduce (R.here ()) ?chunk_size:cutoff ~start ~finish ~body combine init

  let scans =
    match R.scan with
    | None -> []
    | Some scan -> [ ("scan", Scan.by R.contestant (fun combine a -> scan (R.here ()) combine a)) ]

  let ways =
    List.map
      (fun (name, loop) -> (name, Ways.by_loop loop R.contestant for_))
      [ ("iota", Iota.loop); ("for_irregular", For_irregular.loop); ("lu", Lu.loop); ("matmul", Matmul.loop) ]
    @ [ ("reduce", Reduce.by R.contestant reduce); ("primes", Primes.by R.contestant reduce) ]
    @ Short_loops.by R.contestant (fun ~start ~finish ~body ->
          R.parallel_for (R.here ()) ~start ~finish ~body ())
    @ scans
end
