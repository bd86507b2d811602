(** The plain sequential program. *)

val contestant : Weft_bench_harness.Contestant.t
(** [sequential], the baseline. *)
