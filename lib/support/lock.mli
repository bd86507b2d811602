(** A lock that signal handlers can cope with.

    A signal handler may resolve a promise, and so wake a worker, while the very thread it interrupts holds a
    lock of the scheduler: waiting for that lock would never end. {!do_soon} never waits: if the lock is held,
    its holder does the work on unlocking. *)

type t

val create : unit -> t

val protect : t -> (unit -> 'a) -> 'a
(** [protect l f] is [f ()] with [l] held, then what came by {!do_soon} meanwhile. [f] must be short, and must
    make what it builds before it changes anything: a signal handler may raise where [f] allocates. Not for
    signal handlers. *)

val do_soon : t -> (unit -> unit) -> unit
(** [do_soon l f] has [f ()] called with [l] held: now, or by whoever holds [l]. [f] must not raise. In the
    end, every [f] is called once. *)
