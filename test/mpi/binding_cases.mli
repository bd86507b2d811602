(** {!Weft_mpi.Mpi}: messages, collectives, communicators, values, windows. *)

val run : Weft_mpi.world -> unit
