(** Blocks of loops, for {!Weft_sched.Probe}. *)

val body : (int -> int -> unit) -> int -> int -> unit
(** [body f] is [f], and has those of its calls told that take some twenty microseconds or more. Two readings
    of {!Weft_support.Ticks} for each call. *)
