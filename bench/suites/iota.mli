(** A loop that writes one value per element: almost all work is the loop itself. *)

val loop : Ways.loop
(** The program, for any loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [iota]: 2,000,000 elements, 100 times. *)
