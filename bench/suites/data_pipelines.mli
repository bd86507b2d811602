(** Of the group [data]: {!Weft.pipeline}, on items that take some 0.1 us and some 20 us each. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** [data_pipeline_cheap] and [data_pipeline_dear]. *)
