(** The report as JSON, for programs. *)

val standard : text:(string -> string) -> Yojson.Safe.t -> Yojson.Safe.t
(** [standard ~text json] is [json] with [text] (which makes UTF-8 of anything) of all names and strings, and
    null for what is no finite number: the standard's JSON, whatever is in a trace. *)

val of_analysis : Analysis.t -> Yojson.Safe.t
(** [doc/profiling.md] lists its keys; times are in ns from the beginning of the trace, shares from 0 to 1. *)
