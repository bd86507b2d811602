(** A lock that callbacks of the runtime may use.

    A finaliser or a signal's handler may resolve a promise, and so wake a worker, while the very thread it
    interrupts holds a lock of the scheduler: waiting for that lock would never end. {!do_soon} never waits:
    if the lock is held, its holder does the work after unlocking, or the next holder before its own.

    So code that runs with the lock held sees such work done before it or after it, never in the middle; and
    it sees all that was left to {!do_soon} before it took the lock. *)

type t

val create : unit -> t

val protect : t -> (unit -> 'a) -> 'a
(** [protect l f] is [f ()] with [l] held; work that {!do_soon} has left is done before and after. Waits while
    [l] is held. *)

val do_soon : t -> (unit -> unit) -> unit
(** [do_soon l f] calls [f ()] with [l] held, now; or the holder of [l] calls it. [f] must not raise. *)
