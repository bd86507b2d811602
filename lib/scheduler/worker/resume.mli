(** How fibers that waited go on: they are queued, or told.

    A step is prepared first, which only allocates, and then taken to its end
    ({!Weft_platform.Interrupt.complete}): an exception that comes while it is prepared finds that nothing has
    happened yet. *)

val resuming_if : bool ref -> Job.task -> 'a Job.suspended -> unit -> unit
(** [resuming_if mine t s] is a step that queues [t], which continues [s], and takes [s] off the list of its
    pool, unless somebody else has undertaken to continue it; then [mine] says whether it was this one. *)

val end_suspended : 'a Job.suspended -> exn -> unit
(** [end_suspended s exn] queues the fiber [s], in which [exn] is to be raised, and takes it off the list of
    its pool; unless somebody else has undertaken to continue it. *)

val deliver : 'a Job.t -> 'a Job.waiter list -> unit
(** [deliver j ws] tells all the waiters of [j], now settled; fibers are queued. *)

val deliver_one : 'a Job.t -> 'a Job.waiter -> unit
(** {!deliver} to one. *)
