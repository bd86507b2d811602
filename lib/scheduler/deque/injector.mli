(** The pool's common queue: work that comes from outside, and fibers that gave way.

    First in, first out, for any number of threads on both sides; lock-free and linearizable. It is saturn's
    Michael-Scott queue. *)

type 'a t

val create : unit -> 'a t

val push : 'a t -> 'a -> unit
(** Adds at the end. A full barrier: a read that follows it is ordered behind it. About 30 ns. *)

val pop : 'a t -> nil:'a -> 'a
(** [pop q ~nil] takes from the front, or is [nil] if there is nothing. Does not allocate. *)

val is_empty : 'a t -> bool
(** Whether there was nothing at some moment during the call. A {!push} that has returned before is seen. *)
