(** Workers: the state of each, and their queues. {!Steal} finds jobs, {!Run_job} runs them, {!Resume} resumes
    waiting fibers, and {!Worker_loop} is the loop. *)

type t = {
  index : int;  (** in its pool; 0 is the slot for an outside thread *)
  deque : Job.task Deque.t;
  parts : parts;
  sleeper : Sleepers.sleeper;
  mutable thread : int;  (** [Thread.id] of the thread that is this worker, or was last *)
  mutable clock : Thread_clock.t;  (** of that thread, while it is this worker *)
  mutable retired_at : int;  (** when it last retired, by [Timer_thread.now] *)
  mutable keep_alive : Idle_period.limits;  (** how long it waits without work before it retires *)
  mutable closing : (leave:(unit -> unit) -> unit) option;
      (** set by a job, for a worker with a domain of its own: the worker leaves the pool after that job, and
          its domain closes the pool so, calling [leave ()] when all else is over (see {!module-Shutdown}) *)
  mutable nested : int;  (** how many of its jobs wait on its stack, beneath the one that it runs *)
  mutable random : int;  (** state of the generator that picks victims *)
  mutable runs_timers : bool;
      (** it runs timers: the fibers that they resume go to the injector, since it may then go on with its own
          for long *)
  mutable minor_heap_at : int;  (** when to call [size_minor_heap]; [max_int]: never, or not again *)
  mutable rounds : int;  (** how often its next search goes round the other workers *)
  mutable slept_at : int;  (** when it last fell asleep, by {!Weft_platform.Timer_thread.now} *)
  mutable eldest : int;  (** the index of the top of its deque at the last look *)
  mutable eldest_since : int;  (** when that index was first seen, by [Timer_thread.now] *)
  mutable eldest_wait : int;
      (** nanoseconds for which that job waits before {!Poll} starts it while all workers have work; doubled
          each time, 0 again when the worker has slept *)
  mutable handed_at : int;
      (** when its last hand-over ended, plus a pause if the deque was long, by [Timer_thread.now]; the next
          one comes 2 ms later at the earliest *)
  mutable started : Job.task;
      (** the task that it handed over last. {!Job.nil} once that is known to be settled, or some time has
          passed: as garbage, its exception is reported if nobody awaits it. Not a weak pointer: see
          [doc/runtime-faults.md], domains that end *)
  mutable started_at : int;  (** when it did that *)
  mutable preempted : int;  (** the job that was preempted last, as counted by [jobs]: see {!Poll} *)
  backoff : Steal_backoff.t;  (** of its steals *)
  questions : Questions.t;  (** likewise *)
  turns : Thread_turns.t;  (** of other threads of its domain *)
  mutable holds_back : bool;  (** see {!hold_back} *)
  mutable tick : int;  (** jobs looked for so far *)
  mutable origin : int;
      (** where it found the last job, as {!Weft_scheduler.Trace_hooks.listener.runs} says *)
  mutable jobs : int;  (** it has run or resumed so many *)
  mutable suspensions : int;  (** fibers that were suspended on it *)
  mutable taken : int;  (** jobs that it took from the injectors, less those that it put there *)
}

and parts = {
  mutable workers : t array;
  first : int;
      (** index of the first worker that counts for [Pool.worker_index]: 1 if worker 0 is only a slot for
          outside threads, else 0 *)
  mutable extras : t array;  (** the slots of extra workers, see {!Extra_workers} *)
  injector : Job.task Injector.t;
  background : Job.task Injector.t;  (** jobs for when there is nothing else to do *)
  sleepers : Sleepers.t;
  alarm : Timer_thread.t;
  timers : Timers.t;  (** they set [alarm] *)
  home : Job.home;
  idle : unit -> unit;  (** called by a worker that is about to wait *)
  look : unit -> unit;  (** called by a worker when the alarm has gone off *)
  size_minor_heap : t -> unit;
      (** called by the thread of a respawned worker after the first job that ends a millisecond after its
          start; and by a preempted worker in the middle of a job. *)
}
(** What the workers of a pool share. [workers] is set while the pool is made, [extras] when a slot is added.
    The functions are those of modules above. *)

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

val is_work : parts -> bool
(** Whether some queue of the pool had a job at some moment during the call. *)

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
