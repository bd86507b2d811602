(** Receives: who gets which message, and that a sender does not wait for a receiver's workers. *)

val run : Weft_mpi.world -> unit
