(** Elements of a {!Distributed_array} on their way to other ranks: each function is called by all ranks with
    their parts, and is the new part, or all elements. *)

val redistribute : World.t -> from:Distribution.layout -> Distribution.layout -> 'a array -> 'a array
(** Between layouts of the same length. The result is a new array. *)

val concat : Distribution.layout -> 'a array array -> 'a array
(** [concat l parts] is the array whose parts these are. Sends nothing. *)

val sort : World.t -> Distribution.layout -> ('a -> 'a -> int) -> 'a array -> 'a array
(** [sort w l compare local]: [l] is a [Block] distribution. *)
