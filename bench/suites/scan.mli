(** The prefix sums of an array. *)

val by :
  Weft_bench_harness.Contestant.t ->
  ((int -> int -> int) -> int array -> int array) ->
  Weft_bench_harness.Benchmark.way
(** [by contestant scan] computes them by [scan ( + )]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [scan]: 10,000,000 integers, 5 times. *)
