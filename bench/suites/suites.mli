(** The benchmarks. *)

val all : Weft_bench_harness.Benchmark.t list
(** [all] in the order in which they run; all but those of {!large}. *)

val large : Weft_bench_harness.Benchmark.t list
(** Those that take minutes. *)
