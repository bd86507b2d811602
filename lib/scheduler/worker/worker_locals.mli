(** A value for each worker: see [Weft.Local.Worker_local].

    A table of padded slots, indexed by the id of the calling worker's deque; it grows with the ids. An access
    reads the table without a lock. A slot's first use takes a lock, as does any use by a thread that is no
    worker. *)

type 'a t

val create : (unit -> 'a) -> 'a t

val get : 'a t -> 'a
(** [get l]: the calling worker's value, made by [create]'s function at first use. *)

val set : 'a t -> 'a -> unit
(** [set l v] makes [v] that value. *)

val update : 'a t -> ('a -> 'a) -> unit
(** [update l f] replaces that value by [f] of it. *)

val fold : ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b
(** [fold f x l]: over all values made so far. *)

val reset : 'a t -> unit
(** Forgets all values. *)
