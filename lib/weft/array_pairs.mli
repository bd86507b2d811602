(** Functions of [Weft.Array] that look at two arrays side by side; documented there. *)

val equal : ('a -> 'a -> bool) -> 'a array -> 'a array -> bool
val compare : ('a -> 'a -> int) -> 'a array -> 'a array -> int
val mismatch : ('a -> 'b -> bool) -> 'a array -> 'b array -> int option
