(** Loops, reductions, scans, searches and sorts across ranks: on every rank the same, to the bit, as Weft's
    own functions are there. *)

val run : Weft_mpi.world -> unit
