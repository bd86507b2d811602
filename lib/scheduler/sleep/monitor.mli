(** Looks how the active workers of a pool fare, and makes the pool's room as large as {!Worker_throttle}
    says.

    The looks are taken every ten milliseconds as long as a worker is active ({!Sleepers.create}), by a worker
    that the alarm has found: one that waits, or else one that forks. *)

type t

val create : Timer_thread.t -> workers:int -> t
(** For a pool of at most so many workers. *)

val first_room : t -> int

val soon : t -> unit
(** There is something to look at from now on. From any thread; no safepoint. *)

val look : t -> Worker.parts -> unit
(** By a worker of the pool. Does nothing if it is not time yet, or another one looks. Some microseconds per
    active worker. *)
