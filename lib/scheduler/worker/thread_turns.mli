(** Turns for the other threads of a worker's domain.

    OCaml runs one thread of a domain at a time. Another one has its turn when that thread waits in the
    system, or else after 50 ms. A worker that computes does not wait. So a thread beside it, for example the
    one whose call the pool has just ended, would lose 50 ms, or 100 if there are two. Therefore a worker
    gives the others a turn whenever it is preempted, which is every 5 ms.

    A thread that computes keeps its turn for 50 ms. The worker gives the next turn only after it has run for
    as long as that, so it keeps half of the domain. *)

type t

val make : unit -> t

val give : t -> now:(unit -> int) -> unit
(** Gives the other threads of the calling domain a turn, if one waits for it and it is time. By the worker's
    thread. [now ()] is the time in nanoseconds. Signals may be recorded meanwhile. Without other threads, it
    costs two calls of [now]. *)
