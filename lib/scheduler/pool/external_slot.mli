(** Worker 0 of a pool: the slot for a thread from outside.

    A pool of [n] domains has [n] workers: [n - 1] run in domains of the pool's own; worker 0 is a slot for a
    thread from outside ({!External_caller}). On leaving, what is left in the slot's deque moves to the
    injector. Should all workers wait for threads from outside, extra ones come: {!Extra_workers}.

    {b Fallback workers.} If a pool has no domains of its own (one domain asked for, or none to be had) and
    the slot is free, then work that comes in from outside, or is left by a leaver, starts a
    {e fallback worker}: a domain, or if there is none to be had a system thread, that takes the slot until
    there is nothing more to do. Then it rests, and the slot is free, for as long as a worker waits before it
    retires ({!Worker_thread.keep_alive}); and takes the slot again if more comes. Extra workers are run by
    such domains, too. *)

val worker : Pool_state.t -> Worker.t
(** Worker 0. *)

val try_work : ?first:Job.task -> ?admitted:(unit -> unit) -> Pool_state.t -> until:(unit -> bool) -> bool
(** [try_work p ~until] is [false] if the slot is taken; else the calling thread, which must be no worker, is
    worker 0 until [until ()] (see {!Worker_loop.work}), and it is [true]. [admitted ()] may raise to refuse,
    under the pool's lock; [first] is run first. *)

val settle : Pool_state.t -> Worker.t -> unit
(** For {!Worker.type-parts}: the calling domain has the pool's minor heap; in the slot, until the thread
    leaves. *)

val ensure_somebody : Pool_state.t -> unit
(** To be called after a thread has left: if there is work, somebody shall be there. Never waits. *)

val answer_calls : Pool_state.t -> unit
(** Under the pool's lock, after something was added to {!Pool_state.type-t.calls}: each gets a fallback
    worker that rests, or a new one ({!Domain_start.start_apart}). An exception that ends the work is told of.
*)

val domain_name : Pool_state.t -> string
val still_there : Runtime_threads.domain list -> Runtime_threads.domain list

val tell_of_death : Pool_state.t -> exn -> unit
(** The exception has ended a worker. *)

(** {1 Submitting} *)

val check_open : Pool_state.t -> string -> unit
(** @raise Invalid_argument in the name given, if the pool is closed. *)

val queue : Pool_state.t -> Job.task -> unit
(** Puts a job into the injector. From any thread and signal handler. *)

val find_somebody : ?more:bool -> Pool_state.t -> unit
(** To be called after {!queue}: somebody shall look at the injector; [more]: it was not empty before. Never
    waits; may be called again. *)
