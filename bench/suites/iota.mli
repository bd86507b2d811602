(** A loop that writes one value per element: hardly any work but the loop. *)

val loop : Ways.loop
(** The program, for any loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [iota]: 2,000,000 elements, 100 times. *)
