(** Seventeen algorithms from the book, without a cutoff or a chunk, each beside the best sequential program,
    its own steps in plain sequential code, and the best parallel program with cutoffs by hand. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [book]. *)
