(** Workers: the state of each, and their queues. {!Steal} finds jobs, {!Run_job} runs them, {!Resume} resumes
    waiting fibers, and {!Worker_loop} is the loop. *)

include module type of struct
  include Types.Worker
end

val make : parts -> index:int -> wake:Deque_memory.word -> t
(** Makes a worker and enters it in the table of all workers. *)

val release : t -> unit
(** Takes it out of the table and frees its deque's memory. Nobody may use it any more. *)

val of_deque : Job.task Deque.t -> t
(** The worker of a deque; [Deque_memory.current ()] must not be [nowhere ()]. *)

val current : unit -> t option
(** The worker that the calling thread is. *)

val attach : t -> unit
(** The calling thread is this worker from now on. *)

val detach : t -> unit
(** The calling thread is this worker no longer. The deque must be empty. *)

val tell_of_itself : t -> (worker:int -> index:int -> pool:string -> forks:int -> 'a) -> 'a
(** For {!Trace_hooks}: who this worker is. *)

val tell_again : t -> unit
(** The same, to the listener. *)

val tell_of_return : t -> unit
(** Likewise: it goes on with the fiber on whose stack it has done other work. *)

val is_put_off : t -> bool
(** Whether others leave alone the only job of its deque: it is {!Deque.is_deferred}, and has not lain for
    long ({!Deferral}). Any thread's. 1 ns, or a read of the clock where the job is deferred. *)

val is_work : parts -> bool
(** Whether some queue of the pool had a job at some moment during the call. *)

val is_work_to_take : parts -> bool
(** The same, but a job that {!is_put_off} does not count: so a worker need not stay awake for it. *)

val is_deferred : parts -> bool
(** Whether the job at the top of some deque is deferred, whatever lies above it. *)

val announce_deferred : t -> unit
(** After a {!Deque.push_deferred} onto its deque: if no worker waits that the alarm could wake, one is
    respawned for that. *)

val is_idle : parts -> bool
(** Whether, at one moment, all workers slept and no queue had a job. *)

val poll_soon : parts -> unit
(** A millisecond later at the latest, the alarm preempts the workers, and wakes one that waits. *)

val poll_for_background : parts -> unit
(** The same, four milliseconds later: for jobs in the background. *)

val hurry : parts -> unit
(** {!poll_soon}, if the injector has a job and no worker is free to take it. *)

val inject : parts -> Job.task -> unit
(** Pushes a job to the injector, to the part where it belongs; wakes nobody. *)

val leave_to_all : t -> Job.task -> unit
(** {!inject}, by a worker of the pool. *)

val push_only : t -> Job.task -> unit
(** {!push}, without waking anybody. *)

val push : t -> Job.task -> unit
(** Pushes a job to the calling worker's own deque, and wakes a worker if one is needed. *)

val put_back : Job.task -> Job.home -> unit
(** Queues a job in its pool's injector, and wakes a worker for it. *)

val run_due_timers : t -> unit
(** Runs the timers that are due, on a worker, and looks at how the other workers fare. What the timers resume
    goes to the injector, where the first free worker takes it. *)

val look_at_injector : t -> unit
(** The calling worker takes its next job from the injector, if there is one. *)

val look_at_eldest : t -> unit
(** The same, from the top of its own deque. *)

val hold_back : t -> unit
(** Before its next job, the calling worker looks for ten or twenty microseconds in the injector and at the
    other workers, and only then in its own deque. For where more fibers run than a structure can serve: there
    the worker should help with the batch rather than start further fibers. *)

val look_at_background : t -> unit
(** Like {!look_at_injector}, for the background. *)

val is_turn_of_background : t -> bool
(** Whether a worker that looks at either of the two should look at the background: every fourth time. *)

val wake : Job.task Deque.t -> unit
(** The slow path after a push to the calling worker's deque that saw a non-zero wake word. *)

val resume : Job.task -> Job.home -> unit
(** [resume t home] queues the continuation of a fiber of [home]: in the calling worker's deque if that is of
    the same pool and not {!long}, else in the injector. *)

val long : int
(** A deque of more jobs is long. *)

val wake_up : Job.home -> unit
(** Finds a worker for what has been queued for a pool. Called by a worker of that pool, it wakes a sleeper,
    if there is one and nobody searches. *)

(** {1 For the other modules of the worker} *)

val search_rounds : int
(** At most so often a search goes round the other workers. *)

val fewest_rounds : int
(** At least so often. *)

val short_sleep : int
(** Nanoseconds. A search would have spared a sleep shorter than this. *)

val number : t -> int
(** For {!Trace_hooks}. *)

val sleeps_between : int
(** After so many sleeps a worker tells again who it is. *)

val tell_of_job : t -> resumed:bool -> unit
(** Tells the listener that the worker begins a job, or goes on with one. *)
