(** [Weft.Array.histogram] and [reduce_by_index], documented there. The results do not depend on the number of
    workers. *)

val histogram : ?pos:int -> ?len:int -> buckets:int -> ('a -> int) -> 'a array -> int array
val reduce_by_index : buckets:int -> ('v -> 'v -> 'v) -> 'v -> (int * 'v) array -> 'v array
