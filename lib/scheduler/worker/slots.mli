(** A value for each worker: see [Weft.Local.Worker_local].

    A table of padded slots, indexed by the id of the calling worker's deque; it grows with the ids. An access
    reads the table without a lock. A slot's first use takes a lock, as does any use by a thread that is no
    worker. *)

type 'a t

val create : (unit -> 'a) -> 'a t
val get : 'a t -> 'a
val set : 'a t -> 'a -> unit
val update : 'a t -> ('a -> 'a) -> unit
val fold : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b
val reset : 'a t -> unit
