(** The sum of an array of floats. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [reduce]: 100,000,000 elements, 800 MB. *)
