(** The prefix sums of [Weft.Array], documented there. *)

val scan : ('a -> 'a -> 'a) -> 'a array -> 'a array
val scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array
val scan_total : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array * 'a
val scan_inplace : ?pos:int -> ?len:int -> ('a -> 'a -> 'a) -> 'a array -> unit
val scan_exclusive_inplace : ?pos:int -> ?len:int -> ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a
val prefix_sums : int array -> int array
