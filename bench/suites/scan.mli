(** The prefix sums of an array. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [scan]: 10,000,000 integers, 5 times. *)
