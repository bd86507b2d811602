(** Turns for the other threads of a worker's domain.

    OCaml runs one thread of a domain at a time, until it blocks or for 50 ms. A worker that computes does not
    block, so another thread of its domain (say, one whose [Weft.run] has just returned) would wait for 50 ms.
    So a preempted worker calls [Thread.yield], in a fiber and between two jobs. A thread that computes then
    has its 50 ms. The worker yields again only after it has run for as long as the last yield took: so it
    keeps half of the domain. *)

type t

val make : unit -> t

val give : t -> now:(unit -> int) -> unit
(** Gives the other threads of the calling domain a turn, if one waits for it and it is time. By the worker's
    thread. [now ()] is the time in nanoseconds. Signals may be recorded meanwhile. Without other threads, it
    costs two calls of [now]. *)
