(** Cancellation, and the closing of a pool, where the other ranks count on what the fiber has begun. *)

val run : Weft_mpi.world -> unit
