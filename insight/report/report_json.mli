(** The report as JSON, for programs. *)

val of_analysis : Analysis.t -> Yojson.Safe.t
(** [doc/profiling.md] lists its keys; times are in ns from the beginning of the trace, shares from 0 to 1. *)
