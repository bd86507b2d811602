(** Exceptions, cancellation and misuse. *)

val run : Weft_mpi.world -> unit
