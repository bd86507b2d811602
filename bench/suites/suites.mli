(** All benchmarks. *)

val all : Weft_bench_harness.Benchmark.t list
(** [all] in the order in which they run. *)
