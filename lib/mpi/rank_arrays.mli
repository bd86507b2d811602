(** Arrays that all ranks have, computed by all together: see {!Weft_mpi}. *)

val map : World.t -> ('a -> 'b) -> 'a array -> 'b array
val mapi : World.t -> (int -> 'a -> 'b) -> 'a array -> 'b array
val group_by : World.t -> key:('a -> 'k) -> 'a array -> ('k * 'a array) array

val scan : World.t -> ('a -> 'a -> 'a) -> 'a array -> 'a array
(** In the blocks of {!Weft_loops.Scan}, so that the bits are the same. *)

val sort : World.t -> ('a -> 'a -> int) -> 'a array -> 'a array
(** A sample sort (Frazer and McKellar, Samplesort, JACM 1970) with regular sampling (Shi and Schaeffer,
    Parallel sorting by regular sampling, JPDC 1992): each rank sorts a part of the array and offers a sample
    of it. The sorted sample gives [ranks - 1] bounds; each rank gets the elements between two of them, in the
    order of the ranks that they come from, and sorts them. Elements that are equal are in one such part, and
    so keep their order: the result is that of any stable sort. *)

val exchange_parts : World.t -> ('a -> 'a -> int) -> 'a array -> 'a array
(** [exchange_parts w compare mine] sorts [mine] in place, and exchanges parts of it with the other ranks. It
    is a new array, not yet sorted: the part of the calling rank. If each rank sorts its part, keeping the
    order of equal elements, then the parts of all ranks, in their order, are what was given by all ranks, in
    their order, sorted by a stable sort. Not {!World.exclusive} by itself. *)
