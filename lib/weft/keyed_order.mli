(** Sorting by keys, and other functions of [Weft.Array] that compute an order of indices; documented there.

    First every key is computed, once. Then integers that stand for the elements are sorted: each holds a key
    and an index, or a key and the element itself if that is an integer and there is room for both. At the
    end, each element is moved to its place, once. So a sort that is stopped has moved nothing, or puts
    everything back. *)

val integer_sort : key:('a -> int) -> 'a array -> unit
val counting_sort : buckets:int -> key:('a -> int) -> 'a array -> int array
val sort_by_key : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a array -> unit

val rank : who:string -> int -> (int -> int -> int) -> int array
(** [rank ~who n cmp] is, for each of [n] indices, its place in the order [cmp] of indices, equal ones in
    their own order. *)
