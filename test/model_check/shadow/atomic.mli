(** [Stdlib.Atomic], as cells. *)

type 'a t = 'a Cell.t

val make : 'a -> 'a t

val constant : 'a -> 'a t
(** See {!Cell.constant}. *)

val unobserved : 'a -> 'a t
(** No step of a process depends on its value, so it takes none. *)

val get : 'a t -> 'a
val set : 'a t -> 'a -> unit
val exchange : 'a t -> 'a -> 'a
val compare_and_set : 'a t -> 'a -> 'a -> bool
val fetch_and_add : int t -> int -> int
val incr : int t -> unit
