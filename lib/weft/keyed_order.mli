(** Sorting by keys, and what else goes by an order of indices: functions of [Weft.Array], documented there.

    First every key is computed, once. Then integers are sorted that stand for the elements: a key beside an
    index, or beside the element itself if that is an integer and there is room for both. Last, each element
    moves to its place once. So a sort that is stopped has moved nothing, or puts everything back. *)

val integer_sort : key:('a -> int) -> 'a array -> unit
val counting_sort : buckets:int -> key:('a -> int) -> 'a array -> int array
val sort_by_key : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a array -> unit

val rank : who:string -> int -> (int -> int -> int) -> int array
(** [rank ~who n cmp] is, for each of [n] indices, its place in the order [cmp] of indices, equal ones in
    their own order. *)
