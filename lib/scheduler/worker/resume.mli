(** How waiting fibers are resumed: they are queued, or their callbacks are called. *)

val resume_suspended : Job.task -> 'a Job.suspended -> bool
(** [resume_suspended t s] queues [t], which continues [s], and takes [s] off its pool's list of suspended
    fibers; [false] if somebody else has claimed [s]. If its stack is being read, the reader does it. *)

val end_suspended : 'a Job.suspended -> exn -> unit
(** [end_suspended s exn] queues the fiber [s] so that [exn] is raised in it, and takes it off its pool's
    list, unless somebody else has claimed it. *)

val deliver : 'a Job.t -> 'a Job.waiter list -> unit
(** [deliver j ws] tells all waiters of [j], which is settled, oldest first. Fibers are queued. *)

val tell_of_wake : 'a Job.suspended -> unit
(** Tells {!Trace_hooks} that the caller has claimed it. *)
