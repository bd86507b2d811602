(** A value per worker: [Weft.Local.Worker_local], which documents it.

    A table of padded slots, indexed by the id of the calling worker's deque, that grows as ids come. Access
    is a look into the table, without a lock; a slot's first use, and threads that are no workers, take one.
*)

type 'a t

val create : (unit -> 'a) -> 'a t
val get : 'a t -> 'a
val set : 'a t -> 'a -> unit
val update : 'a t -> ('a -> 'a) -> unit
val fold : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b
val reset : 'a t -> unit
