(** Alpha-beta search in a game tree. By hand: the last three levels by the sequential program. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_alpha_beta]. *)
