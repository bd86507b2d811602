(** The n-queens problem: in how many ways can [n] queens stand on a board of [n] by [n] so that none attacks
    another? By backtracking, row after row; the parallel programs fork at every square where a queen may
    stand. *)

val values : int array
(** [values.(n)] is the number of solutions for [n] queens, for [n] from 1. *)

(** {1 For other programs} *)

val next_safe : int -> int list -> int -> int
(** [next_safe n board col] is the first column from [col] on where a queen may stand in the next row of a
    board of [n] columns, [board] being the columns of the queens before it, the last one first; [n] if there
    is none. *)

val solve : int -> int -> int list -> int
(** [solve n rows board] is the plain program: the number of solutions that begin with [board], with [rows]
    rows to go. *)

val rows_to_cut : int option -> int
(** [rows_to_cut cutoff] is the number of rows to go at which the plain program takes over. *)

val work : int -> (int -> int) -> Weft_bench_harness.Benchmark.work option
(** [work n program] solves the problem for [n] queens by [program]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [nqueens]: 14 queens without cutoff. *)
