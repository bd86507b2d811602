(** Depth-first search of a tree whose nodes all have seven branches, with nothing to do at its leaves: how
    forks of more than two are made. *)

val leaves : int -> int
(** [leaves depth] is [7 ** depth]. *)

val forks : int -> int
(** [forks depth] is how often the parallel programs fork: at each inner node once for every branch but one.
*)

val benchmark : Weft_bench_harness.Benchmark.t
(** [dfs]: 7 deep, without cutoff. *)
