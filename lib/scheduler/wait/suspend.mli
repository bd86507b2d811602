(** Waiting for a job, inside a pool and outside.

    A suspended fiber keeps its context on its stack. How cancellation finds a waiting fiber: see {!Fiber}.

    A computation that a handler of the user has captured in a pool may go on outside of all pools. There
    {!join}, {!suspend} and {!suspend_until} block the thread. *)

val join : 'a Job.t -> 'a
(** [join j] is the outcome of the fork [j], which another worker took. Suspends the calling fiber unless [j]
    is settled; the worker that settles it continues the fiber at once. If the fiber is cancelled meanwhile,
    [j]'s fiber is cancelled too, and is waited for all the same. Effects of [j] that its fiber does not
    handle are performed here. *)

val stop_fork : 'a Job.t -> exn -> unit
(** [stop_fork j e] stops the fiber that runs the fork [j], if one does, with [e]. *)

val perform : (('a, unit) Effect.Deep.continuation -> unit) -> 'a
(** [perform wait] promotes the loops that the calling fiber is in ({!Loops}), suspends it, and calls [wait k]
    on the worker's stack. Somebody must continue [k] once, in the same pool. Until then the fiber is listed
    nowhere, unless [wait] lists it, and cancellation does not find it. Raises [Effect.Unhandled] where the
    fiber cannot be suspended. *)

val to_scheduler : (('a, unit) Effect.Deep.continuation -> unit) -> 'a
(** {!perform}, but the loops are not promoted: for waits that end even if the loops make no progress. *)

val suspend : what:string -> 'a Job.t -> 'a
(** [suspend ~what j] is the outcome of [j]. Suspends the calling fiber, of any pool, unless [j] is settled.
    If the fiber is cancelled meanwhile, it leaves the waiters of [j], and the exception is raised. If [j] is
    a task that performs effects which it does not handle, and this fiber is the first that awaits it, they
    are performed here. *)

val suspend_until : what:string -> ?about:Trace_hooks.about -> cancel:(exn -> unit) -> 'a Job.t -> 'a
(** [suspend_until ~what ~cancel j] is like {!suspend}, but does not return before [j] is settled. If the
    fiber is cancelled or its pool closed, some thread calls [cancel e], perhaps several times, at once, or
    before [j] is looked at; it may settle [j]. If [j] is a task, a {!Forward_effects.refuser} must be among
    its waiters. *)

val run_in_place : Job.task Deque.t -> 'a Job.t -> shield:Job.spawn_context -> 'a
(** [run_in_place deque j ~shield] runs the task [j], which the caller has claimed, in the calling fiber,
    whose worker's deque is [deque], in the context of [shield]. *)

val block : ?until:int -> 'a Job.t -> unit
(** [block j] blocks the calling thread, which is no worker, until [j] is settled, or at most until the moment
    [until], in nanoseconds of {!Weft_platform.Timer_thread.now}. Signal handlers run meanwhile. *)
