(** No barriers: dscheck's cells are sequentially consistent. The models in [models/] check what the barriers
    are for. *)

val by_owner : bool
val full : unit -> unit
val heavy : unit -> unit
