(** The functions of [Weft.Array], [Weft.List] and [Weft.Floatarray] that sort, or work on sorted arrays;
    documented there. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
val sort_floats : floatarray -> unit
val sort_uniq : ('a -> 'a -> int) -> 'a array -> 'a array
val dedup : ('a -> 'a -> int) -> 'a array -> 'a array
val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
