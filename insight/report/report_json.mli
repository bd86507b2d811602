(** The report as JSON, for programs. *)

val standard : Yojson.Safe.t -> Yojson.Safe.t
(** [standard json] is [json] in the standard's words, whatever the names and numbers in a trace are: UTF-8,
    and null for what is no finite number. *)

val of_analysis : Analysis.t -> Yojson.Safe.t
(** [doc/profiling.md] lists its keys; times are in ns from the beginning of the trace, shares from 0 to 1. *)
