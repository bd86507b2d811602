(** The pool's common queue, of two parts: jobs that have just become ready (they come from outside, or a wait
    of theirs has ended), and fibers that yielded, or gave way in the middle of a computation. What is ready
    goes first, so that it does not wait for all that compute. While both parts have jobs, what is ready goes
    first for 10 ms, then the other part for 5 ms, and so on, each for one job at least: so neither part
    starves.

    Each part is first in, first out, for any number of threads on both sides, and lock-free: saturn's
    Michael-Scott queue. *)

type 'a t

val create : unit -> 'a t

val push : 'a t -> 'a -> unit
(** Adds a job that has become ready. A full barrier: a read that follows it is ordered behind it. About 30
    ns. *)

val push_yielded : 'a t -> 'a -> unit
(** The same for a fiber that gives way. *)

val pop : 'a t -> nil:'a -> 'a
(** Takes the next job, or [nil] if there is none. Does not allocate. *)

val is_empty : 'a t -> bool
(** A push that has returned before is seen. *)

val is_ready : 'a t -> bool
(** Whether a job has become ready. A push that has returned before is seen. *)
