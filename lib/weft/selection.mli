(** [Weft.Array.kth_smallest], documented there. *)

val kth_smallest : ('a -> 'a -> int) -> int -> 'a array -> 'a
