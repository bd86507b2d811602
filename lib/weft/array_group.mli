(** [Weft.Array.group_by] and [histogram], documented there. The array is divided into parts, a few for each
    worker; the result does not depend on their number. *)

val group_by : ('a -> 'k) -> 'a array -> ('k * 'a array) array
val histogram : ?pos:int -> ?len:int -> buckets:int -> ('a -> int) -> 'a array -> int array
