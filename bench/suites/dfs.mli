(** Depth-first search of a tree whose inner nodes have seven branches, without work at the leaves: shows how
    forks of more than two branches are made. *)

val leaves : int -> int
(** [leaves depth] is [7 ** depth]. *)

val forks : int -> int
(** [forks depth] is how often the parallel programs fork: each inner node forks all its branches but one. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [dfs]: 7 deep, without cutoff. *)
