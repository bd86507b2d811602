(** How fibers that waited go on: they are queued, or told. *)

val resume_suspended : Job.task -> 'a Job.suspended -> bool
(** [resume_suspended t s] queues [t], which continues [s], and takes [s] off the list of its pool, unless
    somebody else has undertaken to continue it; whether it was this call. *)

val end_suspended : 'a Job.suspended -> exn -> unit
(** [end_suspended s exn] queues the fiber [s], in which [exn] is to be raised, and takes it off the list of
    its pool; unless somebody else has undertaken to continue it. *)

val deliver : 'a Job.t -> 'a Job.waiter list -> unit
(** [deliver j ws] tells all the waiters of [j], now settled, eldest first; fibers are queued. *)
