(** The functions of [Weft.Array] whose result has fewer elements than the array, on {!Sieve}; documented
    there. *)

val filter : ('a -> bool) -> 'a array -> 'a array
val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
val filter_map : ('a -> 'b option) -> 'a array -> 'b array
