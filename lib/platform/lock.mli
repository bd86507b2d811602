(** A lock that signal handlers can cope with.

    A signal handler may resolve a promise, and so wake a worker, while the very thread it interrupts holds a
    lock of the scheduler: waiting for that lock would never end. {!do_soon} never waits: if the lock is held,
    its holder does the work on unlocking. And a handler may raise, wherever code allocates: the lock is
    released all the same.

    So code that runs with the lock held must first build what it needs and then change things, without any
    allocation or loop from its first change on: an exception then comes before the first change or not at
    all. *)

type t

val create : unit -> t

val protect : t -> (unit -> 'a) -> 'a
(** [protect l f] is [f ()] with [l] held, then what came by {!do_soon} meanwhile. Not for signal handlers. *)

val do_soon : t -> (unit -> unit) -> unit
(** [do_soon l f] has [f ()] called with [l] held: now, or by whoever holds [l], and again should a signal
    handler's exception end it ({!Interrupt.complete}); that exception is raised afterwards. *)
