(** A float array filled with random numbers, the same whichever domain writes them. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [random_init]: 10,000,000 elements, 5 times. *)
