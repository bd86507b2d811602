(** Parallel functions on arrays. *)

val scan : ('a -> 'a -> 'a) -> 'a array -> 'a array
val scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array
