(** The report for programs. *)

val of_analysis : Analysis.t -> Yojson.Safe.t
(** Its keys are listed in [doc/profiling.md]; times are in ns from the beginning of the trace, shares from 0
    to 1. *)
