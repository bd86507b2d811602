(** No barriers: dscheck's cells are sequentially consistent. What the barriers are for is checked by the
    models in [models/]. *)

val by_owner : bool
val full : unit -> unit
val heavy : unit -> unit
