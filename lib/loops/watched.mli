(** Blocks of loops, for {!Weft_scheduler.Trace_hooks}. *)

val body : (int -> int -> unit) -> int -> int -> unit
(** [body f] is [f], and has those of its calls told that take some twenty microseconds or more. Two readings
    of {!Weft_platform.Tsc} for each call. *)
