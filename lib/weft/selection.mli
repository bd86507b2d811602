(** [Weft.Array.kth_smallest], documented there; [who] is for messages. *)

val kth_smallest : who:string -> ('a -> 'a -> int) -> int -> 'a array -> 'a
