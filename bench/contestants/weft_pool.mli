(** Weft: all contestants run inside a pool of their own, made for the run and closed after it. *)

val par : Weft_bench_harness.Contestant.t
(** [par]: fork-join by {!Weft.par}. *)

val async : Weft_bench_harness.Contestant.t
(** [async]: promises, by {!Weft.async} and {!Weft.await}. *)

val loop : Weft_bench_harness.Contestant.t
(** [loop]: {!Weft.parallel_for}, {!Weft.parallel_for_reduce}, {!Weft.parallel_scan}. *)

val array : Weft_bench_harness.Contestant.t
(** [array]: the functions of {!Weft.Array}. *)
