(** Sorting, and functions on sorted arrays, as [Weft.Array], [Weft.List] and [Weft.Floatarray] have them:
    their interfaces say what they do. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
val sort_floats : floatarray -> unit
val sort_uniq : ('a -> 'a -> int) -> 'a array -> 'a array
val dedup : ('a -> 'a -> int) -> 'a array -> 'a array
val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
