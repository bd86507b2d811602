(** The pool's common queue. The real one is saturn's, which has model checks of its own; here each operation
    is one step (taking from a non-empty queue: two). *)

type 'a t

val create : unit -> 'a t
val push : 'a t -> 'a -> unit
val push_yielded : 'a t -> 'a -> unit
val pop : 'a t -> nil:'a -> 'a
val is_empty : 'a t -> bool
val is_ready : 'a t -> bool
