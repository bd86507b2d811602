(** The records that the scheduler's modules share: here once, and included by the module of each name, in its
    interface too. That module says what the types mean, and who may change what. *)

(** Fibers and contexts: [task/fiber.mli]. *)
module Fiber = struct
  type status =
    | Fine
    | Failing of int  (** how many forks made here have failed and are not joined *)
    | Stopped of exn  (** with the exception to raise *)

  type context = {
    mutable status : status;  (** used as an atomic *)
    fiber : t;  (** that runs in it *)
    outer : context;
        (** what the fiber returns to; for a fiber's first context, that of the fork that it runs, or
            [Fiber.none] *)
    mutable way : way;  (** changes only from [Place] to [Place_in], by whoever looks *)
    bindings : Bindings.t;
  }

  (** Where to look next for a stopped context. *)
  and way =
    | Free  (** at [outer]; but neither this context nor an ancestor, up to the next shield, can be stopped *)
    | Stoppable  (** at [outer] *)
    | Shield  (** nowhere: ancestors do not count *)
    | Place
        (** nowhere: a task that runs in its awaiter's place. But if a signal's handler has cancelled the
            computation of this fiber, that counts *)
    | Place_in of context
        (** the same, with the computation's context; [Fiber.none], if a [Shield] is on the way *)
    | Linked of context  (** there instead of at [outer]: for code that its awaiter runs for others *)

  and t = {
    mutable state : state;  (** used as an atomic *)
    mutable deque : unit Deque.t;  (** of its worker *)
    mutable id : Fiber_id.t;  (** {!Fiber_id.unknown}, if nobody listened when it began *)
  }

  and state = Running | Cancel_requested | Suspended of wait | Suspended_cancelled of wait

  and wait = {
    context : context;
    cancel : exn -> unit;
        (** ends the wait, or passes the exception on; from any thread, any number of times *)
  }
end

(** Jobs and who waits for them: [task/job.mli]. *)
module Job = struct
  type failure = {
    exn : exn;
    backtrace : Printexc.raw_backtrace;
    mutable watched : int option;  (** its number in {!Uncaught}, until somebody has asked for it *)
  }
  (** An exception with its backtrace. *)

  type 'a state =
    | Fork of {
        context : Fiber.context;  (** in which it was made *)
        task : spawn_context;  (** the [Task] of this context *)
        plain : bool;  (** it has no bindings, and is not [Fiber.is_stoppable] *)
        mutable inside : spawn_context;  (** see {!Spawn_context.shielded}; [Resume] at first *)
      }
    | Task of Fiber.context  (** the context it was made in *)
    | Running of Fiber.context  (** of the fiber that runs it; [Fiber.none] if its joiner or awaiter does *)
    | Resume
    | Gave_way
    | Pending
    | Awaited_task of Fiber.context * 'a waiter list
    | Awaited_running of 'a waiter list
    | Awaited_pending of 'a waiter list
    | Asks of asking * 'a waiter list
        (** a task with an effect for its next awaiter; once that is answered, the same as [Awaited_running]
        *)
    | Returned of 'a
    | Raised of failure

  and spawn_context = unit state
  (** A [Fork] is what a worker keeps of the context of the fiber that it runs. *)

  and 'a t = { mutable state : 'a state; mutable run : unit -> 'a }

  (** Waiters are listed youngest first. *)
  and 'a waiter =
    | Joiner of ('a, unit) Effect.Deep.continuation
        (** the fiber that joins a stolen fork; always of the thief's pool *)
    | Fiber of 'a suspended  (** a fiber of any pool *)
    | Callback of (unit -> unit)  (** called by the settling thread; must neither raise nor wait *)
    | Removable of removable  (** the same, but it may [Job.leave]; an effect is refused *)
    | Attendant of attendant  (** an awaiter that is no suspended fiber *)
    | Canceller of canceller  (** of a task that may be cancelled by itself; it has one at most *)
    | Witness  (** nobody waits, but an exception counts as awaited *)

  and removable = { call : (unit -> unit) Atomic.t; wanted : unit -> bool }

  and attendant = {
    told : unit -> unit;  (** called by the settling thread, like a {!Callback} *)
    ask : asking -> bool;
        (** called by the worker that runs the task, or by the thread that adds the attendant. It sees to the
            answer, soon; [false]: it has been taken off the waiters. Must not wait *)
  }

  and canceller = {
    ended : unit -> unit;  (** called by the settling thread, like a {!Callback} *)
    cancel : exn -> unit;
        (** settles the task with this exception if it has not begun, else stops it; from any thread *)
  }

  and 'a suspended = {
    continuation : ('a, unit) Effect.Deep.continuation;
    claim : Claim.t;  (** who takes it continues the fiber *)
    home : home;
    fiber : Fiber.t;  (** whose it is *)
    mutable entry : Suspended_fibers.entry;
  }

  and home = {
    name : string;
    queue : task -> unit;  (** puts a fiber into the pool's injector *)
    wake : unit -> unit;  (** finds a worker for it; may be called again *)
    suspended : Suspended_fibers.t;
  }
  (** How to hand a fiber back to its pool. *)

  (** A fiber that has performed an effect, and will be continued with the answer. *)
  and parked =
    | Parked : {
        operation : 'a Effect.t;
        continuation : ('a, unit) Effect.Deep.continuation;
        runner : Fiber.context;  (** the first context of the fiber, which the fork was [Running] with *)
        here : spawn_context;  (** its context when it performed the effect *)
        home : home;
        strand : Span_session.t;
      }
        -> parked

  and asking = {
    parked : parked;
    answered : Claim.t;  (** who takes it continues the task *)
    listed : Suspended_fibers.entry;
    noted : int option Atomic.t;  (** its number in {!Uncaught}, while nobody awaits it *)
  }
  (** A parked task. Its entry refers to it weakly: if nobody can await the task any more, or the awaiter that
      was to answer has been dropped, it becomes garbage, and its finaliser ends it. *)

  (** A job of any type, as the queues hold it. *)
  and task = T : 'a t -> task [@@unboxed]
end

(** What is known of the workers of a pool: [sleep/sleepers.mli]. *)
module Sleepers = struct
  type status =
    | Detached  (** takes no part: an empty slot, or before {!Sleep.join} and after {!Sleep.leave} *)
    | Working
    | Searching
    | Idle

  type sleeper = {
    parker : Parker.t;
    mutable status : status;
        (** guarded by the lock of {!t}; written by the worker itself, by who wakes it, and by whoever does
            what it has left to the lock's holder *)
    place : Outside_waiters.t option;  (** of the slot for outside threads, and of extra workers *)
    mutable is_retired : bool;  (** guarded by it too: it is [Idle], and no thread is this worker *)
    mutable respawn : (unit -> bool) option;
        (** of a worker that can retire: starts a thread that is this worker, and notes that it
            {!Respawn.came}; or is [false]. Called under the lock of {!t}; set before the worker retires *)
    mutable spells : int;  (** times it became active *)
    mutable woken : bool;  (** a waker made it search, and it has not found anything yet *)
    mutable starting : bool;  (** its thread was respawned to search, and has yet to begin *)
    counts : Worker_stats.counts;  (** of the worker *)
  }
  (** What is known here of a worker. *)

  type t = {
    lock : Lock.t;
    word : Deque_memory.word;
    mutable listed : sleeper list;
        (** youngest first: its caches are the warmest; after them those that are retired, likewise *)
    mutable unable : sleeper list;  (** retired, and could not be respawned *)
    mutable failed_at : int;  (** when that was seen last *)
    mutable again_after : int;  (** how long they are not tried again *)
    mutable present : int;  (** workers that a thread is *)
    mutable shut : bool;
    mutable working : int;
    mutable searching : int;
    mutable starting : int;  (** of those who search: whose threads have yet to begin *)
    mutable moving : int;  (** of those who are listed: see {!Sleep.while_moving_jobs} *)
    mutable room : int;  (** for all, the extra workers too *)
    mutable extra : int;  (** of it, the extra workers' *)
    mutable watched : bool;  (** [watch] was called, and nobody has looked since *)
    watch : unit -> unit;
    needs_alarm : unit -> bool;
  }
end

(** Workers, and what those of a pool share: [worker/worker.mli]. *)
module Worker = struct
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
        (** set by a job, for a worker with a domain of its own: the worker leaves the pool after that job,
            and its domain closes the pool so, calling [leave ()] when all else is over (see
            {!module-Shutdown}) *)
    mutable nested : int;  (** how many of its jobs wait on its stack, beneath the one that it runs *)
    mutable random : int;  (** state of the generator that picks victims *)
    mutable runs_timers : bool;
        (** it runs timers: the fibers that they resume go to the injector, since it may then go on with its
            own for long *)
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
        (** the task that it handed over last. [Job.nil] once that is known to be settled, or some time has
            passed: as garbage, its exception is reported if nobody awaits it. Not a weak pointer: see
            [doc/runtime-faults.md], domains that end *)
    mutable started_at : int;  (** when it did that *)
    mutable preempted : int;  (** the job that was preempted last, as counted by [jobs]: see {!Poll} *)
    deferral : Deferral.t;  (** of what is in its deque, by the other workers *)
    backoff : Steal_backoff.t;  (** of its steals *)
    questions : Questions.t;  (** likewise *)
    turns : Thread_turns.t;  (** of other threads of its domain *)
    mutable holds_back : bool;  (** see [Worker.hold_back] *)
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
  (** What the workers of a pool share. [workers] is set while the pool is made, [extras] when a slot is
      added. The functions are those of modules above. *)
end
