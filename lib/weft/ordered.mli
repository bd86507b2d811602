(** The functions of [Weft.Array], [Weft.List] and [Weft.Floatarray] that sort, or work on sorted arrays;
    documented there. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
val sort_floats : floatarray -> unit
val sort_floatarray : (float -> float -> int) -> floatarray -> unit
val sorted : ('a -> 'a -> int) -> 'a array -> 'a array
val sorted_floats : floatarray -> floatarray
val is_sorted : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> bool
val is_sorted_floats : ?pos:int -> ?len:int -> floatarray -> bool
val sort_uniq : ('a -> 'a -> int) -> 'a array -> 'a array
val dedup : ('a -> 'a -> int) -> 'a array -> 'a array
val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
