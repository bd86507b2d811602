(** The end of a pool.

    In steps: the pool takes no new work from outside; the closing thread waits until every worker sleeps and
    all queues are empty, and works meanwhile if the slot is free; it ends the fibers that still wait, with
    {!Weft_scheduler.Pool_state.Closed}, again and again until there are none; it keeps the slot, and ends the
    domains.

    A task of another pool must not block its worker, so it queues a job in the pool to be closed. The worker
    that runs this job leaves the pool, and its domain is the closing thread; when all others have ended, it
    calls its own functions of [Domain.at_exit], resumes the task, and ends. *)

val idle : Pool_state.t -> unit -> unit
(** Called by a worker that is about to sleep: the closing thread may wait for that. *)

val close : Pool_state.t -> string -> unit
(** [close p who]: see [Weft.Pool.close]. *)

val apart : Pool_state.t -> (unit -> unit) -> unit
(** [apart p f] calls [f ()], which closes [p], in a domain or thread of its own
    ({!Domain_start.start_apart}), and does not wait. *)

val use_and_close : Pool_state.t -> string -> (unit -> 'a) -> 'a
(** [use_and_close p who f] is [f ()], followed by {!close} whatever happened. But if a signal's exception
    made a caller leave a call that goes on ([Sys.Break] while it waited), [p] is closed in the background. *)

val stop_at_exit : Pool_state.t -> unit
(** When the program exits, pools are not closed: this makes the workers end, without waiting for them. What
    is queued or suspended does not run any more. A signal's handler may call it at any point. *)
