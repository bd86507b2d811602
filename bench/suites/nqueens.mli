(** The n-queens problem: in how many ways can [n] queens stand on a board of [n] by [n] so that none attacks
    another? By backtracking, row after row; the parallel programs fork at every square where a queen may
    stand. *)

val values : int array
(** [values.(n)] is the number of solutions for [n] queens, for [n] from 1. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [nqueens]: 14 queens without cutoff. *)
