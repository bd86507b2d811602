(** The least and the greatest of an array: functions of [Weft.Array], documented there. *)

val min : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a
val max : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a
val min_opt : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a option
val max_opt : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a option
val minmax : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a * 'a
val min_index : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> int
val max_index : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> int
