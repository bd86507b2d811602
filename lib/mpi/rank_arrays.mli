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

val sort_parts : World.t -> ('a -> 'a -> int) -> 'a array -> unit -> 'a array
(** [sort_parts w compare mine] sorts [mine] in place, and exchanges parts of it with the other ranks. Then
    [sort_parts w compare mine ()] is the part of the calling rank: those of all ranks, in their order, are
    what was given by all ranks, in their order, sorted; equal elements keep theirs. It may raise, and is to
    be called where ranks may fail. Not {!World.exclusive} by itself. *)
