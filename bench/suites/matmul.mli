(** The product of two matrices, with one loop over its rows. *)

val loop : Ways.loop
(** The program, for any loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [matmul]: 500 by 500, twice. *)
