(** Distributed arrays: each function gives what the sequential one gives for the whole array. *)

val run : Weft_mpi.world -> unit
