(** Worker 0 of a pool: the slot for a thread from outside.

    A pool of [n] domains has [n] workers: [n - 1] run in domains of the pool's own; worker 0 is a slot for a
    thread from outside ({!External_caller}). When the thread leaves, the jobs in the slot's deque move to the
    injector. If all workers wait for threads from outside, extra workers come: {!Extra_workers}.

    {b Fallback workers.} A pool may have no domains of its own: one domain was asked for, or none could be
    started. If then the slot is free, and work comes from outside or is left behind by a thread that leaves,
    a {e fallback worker} is started: a domain, or a system thread if no domain can be had. It takes the slot
    until there is nothing more to do. Then it rests, so that the slot is free, for as long as a worker waits
    at least before it retires ({!Worker_thread.keep_alive}), and takes the slot again if more work comes.
    Extra workers run in such domains, too. *)

val worker : Pool_state.t -> Worker.t
(** Worker 0. *)

val try_work : ?first:Job.task -> ?admitted:(unit -> unit) -> Pool_state.t -> until:(unit -> bool) -> bool
(** [try_work p ~until] is [false] if the slot is taken; else the calling thread, which must be no worker, is
    worker 0 until [until ()] (see {!Worker_loop.work}), and it is [true]. [admitted ()] may raise to refuse,
    under the pool's lock; [first] is run first. *)

val size_minor_heap : Pool_state.t -> Worker.t -> unit
(** The calling domain gets the pool's minor heap; a thread in the slot has it until it leaves. For
    {!Worker.type-parts}. *)

val ensure_somebody : Pool_state.t -> unit
(** Called after a thread has left the slot: if there is work, finds somebody to do it. Never waits. *)

val answer_calls : Pool_state.t -> unit
(** Under the pool's lock, after something was added to {!Pool_state.type-t.calls}: gives each call to a
    fallback worker that rests, or to a new one ({!Domain_start.start_apart}). If an exception ends the work,
    it is reported. *)

val domain_name : Pool_state.t -> string
val still_there : Runtime_threads.domain list -> Runtime_threads.domain list

val tell_of_death : Pool_state.t -> exn -> unit
(** Reports that the exception has ended a worker. *)

(** {1 Submitting} *)

val check_open : Pool_state.t -> string -> unit
(** @raise Invalid_argument in the name given, if the pool is closed. *)

val queue : Pool_state.t -> Job.task -> unit
(** Puts a job into the injector. From any thread and signal handler. *)

val find_somebody : ?more:bool -> Pool_state.t -> unit
(** Called after {!queue}: finds a worker to look at the injector. [more]: the injector was not empty before.
    Never waits; may be called again. *)
