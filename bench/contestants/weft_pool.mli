(** Weft: both contestants run inside a pool of their own, made for the run and closed after it. *)

val par : Weft_bench_harness.Contestant.t
(** [par]: fork-join by {!Weft.par}. *)

val async : Weft_bench_harness.Contestant.t
(** [async]: promises, by {!Weft.async} and {!Weft.await}. *)
