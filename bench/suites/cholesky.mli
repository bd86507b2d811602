(** [data_cholesky]: a loop for each column, each shorter than the one before. *)

val benchmark : Weft_bench_harness.Benchmark.t
