(** [data_nested_loops]: short loops inside a loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
