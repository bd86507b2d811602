(** Workers, and what they do all day.

    A worker is a system thread that runs the scheduler's loop: it takes a job, runs it in a fresh fiber,
    takes the next. A fiber that must wait performs [Fiber_stack.Suspend]; the loop goes on with other work on
    its own stack, so no job ever runs on top of one that waits.

    Where a worker looks for its next job: the bottom of its own deque, then the injector, then the others'
    deques, then the background. Every 64th time it looks at the injector first, every 64th time at the top of
    its own deque, and every 256th time at the background: so nothing starves behind jobs that keep coming at
    the bottom. *)

type t = {
  index : int;  (** in its pool; 0 is the place for an outside thread *)
  deque : Job.task Deque.t;
  parts : parts;
  sleeper : Sleep.sleeper;
  mutable thread : int;  (** its [Thread.id], who is this worker, or was last *)
  mutable clock : Thread_clock.t;  (** of that thread *)
  mutable gone_at : int;  (** when it retired last, by [Timer_thread.now] *)
  mutable came_at : int;  (** when its domain was started last, likewise *)
  mutable patience : float;  (** so many seconds it waits before it retires *)
  mutable random : int;  (** state of the generator that picks victims *)
  mutable attending : bool;
      (** it sees to timers in the middle of a fiber, which may go on for long: what it resumes goes to the
          injector *)
  mutable settled : bool;  (** [settle] was called, or need not be *)
  mutable rounds : int;  (** so often it goes round the others at its next search *)
  mutable slept_at : int;  (** when it last fell asleep, by {!Weft_platform.Timer_thread.now} *)
  mutable eldest : int;  (** the index of the top of its deque, when it was looked at last *)
  mutable eldest_since : int;  (** when that was seen first, by [Timer_thread.now] *)
  mutable handed_at : int;  (** not before then it does {!hand_over} again, likewise *)
  started : Job.task Weak.t;
      (** the task that it handed over last. Weak: an exception that nobody awaits is reported when its task
          is garbage. *)
  mutable started_at : int;  (** and when *)
  pace : Steal_backoff.t;  (** of its steals *)
  mutable holds_back : bool;  (** see {!hold_back} *)
  mutable tick : int;  (** jobs looked for so far *)
  mutable origin : int;
      (** where the last job was found, as {!Weft_scheduler.Trace_hooks.listener.runs} says *)
  mutable jobs : int;
  mutable steals : int;
  mutable vain_rounds : int;  (** times it went round the others and took nothing *)
  mutable suspensions : int;  (** fibers that were suspended on it *)
}

and parts = {
  mutable workers : t array;
  mutable extras : t array;  (** the places of extra workers, see {!Extra_workers} *)
  injector : Job.task Injector.t;
  background : Job.task Injector.t;  (** for when there is nothing else *)
  sleepers : Sleep.t;
  alarm : Timer_thread.t;
  timers : Timers.t;  (** set on [alarm] *)
  home : Job.home;
  mutable idle : unit -> unit;  (** called by a worker that is about to wait *)
  mutable look : unit -> unit;  (** called by a worker when the alarm has gone off *)
  mutable settle : t -> unit;
      (** called by the new thread of a worker after the first job that ends a millisecond after its start, or
          in the middle of a job, when the deque is called; and by a thread that sits, when its deque is
          called *)
}
(** What the workers of a pool share. The mutable fields are set while the pool is made; [extras] anew when a
    place is added. *)

exception Noted of exn * Printexc.raw_backtrace
(** What a task raises whose exception somebody has taken note of already: the promise gets it all the same,
    but it is not reported if nobody awaits that. *)

val make : parts -> index:int -> wake:Deque_memory.word -> t
(** A worker with a place in the table of all workers. *)

val release : t -> unit
(** Gives its place and its deque's memory back. Nobody may use it any more. *)

val of_deque : Job.task Deque.t -> t
(** The worker of a deque; [Deque_memory.current ()] must not be [nowhere ()]. *)

val current : unit -> t option
(** The worker that the calling thread is. *)

val attach : t -> unit
(** The calling thread is this worker from now on. *)

val detach : t -> unit
(** No longer. The deque must be empty. *)

val work : t -> until:(unit -> bool) -> unit
(** [work w ~until] runs jobs on the calling thread, which must be attached, until [until ()]. [until] is
    asked between jobs and before each wait: whoever makes it true must {!Weft_platform.Parker.unpark} the
    worker's parker then. Raises only what a signal handler raises. *)

type retire = {
  after : float;  (** seconds without anything to do *)
  leave : unit -> Sleep.leave;  (** called then; [Gone]: the calling thread is this worker no more *)
}

val work_elastic : t -> until:(unit -> bool) -> retire -> unit
(** Likewise, or until the worker has retired. *)

val return : t -> until:(unit -> bool) -> retire -> unit
(** Likewise, for a worker that has been respawned ({!Sleep}): it begins as one that waits. *)

val attend : t -> unit
(** Runs the timers that are due, on a worker, and looks how the others fare. What is resumed goes to the
    injector. *)

val tell_of_itself : t -> (worker:int -> index:int -> pool:string -> forks:int -> 'a) -> 'a
(** For {!Trace_hooks}: who this worker is. *)

val tell_again : t -> unit
(** The same, to the listener. *)

val tell_of_return : t -> unit
(** Likewise: it goes on with the fiber on whose stack it has done other work. *)

val execute : t -> Job.task -> unit
(** [execute w t] runs or continues [t] on the calling thread, which must be attached, unless it is claimed
    already. *)

val is_work : parts -> bool
(** Whether some queue of the pool had a job at some moment during the call. *)

val settle : t -> unit

val is_idle : parts -> bool
(** Whether, at one moment, all workers slept and no queue had a job. *)

val hurry : parts -> unit
(** If there is something in the injector that nobody comes for, one of those who work is to give way a
    millisecond later. *)

val push : t -> Job.task -> unit
(** Puts a job into the calling worker's own deque, and wakes somebody if need be. *)

val put_back : Job.task -> Job.home -> unit
(** Queues it in the injector. *)

val look_at_injector : t -> unit
(** The calling worker takes its next job from the injector, if there is one. *)

val look_at_eldest : t -> unit
(** Likewise, from the top of its own deque. *)

val hand_over : t -> bool
(** By a worker that was called: what is ready in its own deque, and would wait there for the end of what this
    worker is in the middle of, goes to the injector, where all look: the fibers that were resumed, and one
    task that nobody has begun, the eldest; the next task when that one has ended, or 20 ms later, since tasks
    that compute for long are better run one after the other. Forks stay: who has made them will come. At most
    every 2 ms, and for a twentieth of the time. Some nanoseconds for each job of the deque. Whether it
    looked, and there is something in the injector. *)

val hold_back : t -> unit
(** Before its next job, the calling worker looks in the injector and at the other workers for ten or twenty
    microseconds, and only then in its own deque. Where there are more fibers than are good for what they wait
    for, it should rather take part in that than add to them. *)

val look_at_background : t -> unit
(** Likewise, from the background. *)

val wake : Job.task Deque.t -> unit
(** The slow path after a push to the calling worker's deque that saw a non-zero wake word. *)

val resume : Job.task -> Job.home -> unit
(** [resume t home] queues the continuation of a fiber of [home]: in the calling worker's deque if that is of
    the same pool, else in the injector. *)

val queue_once : Job.task -> Job.home -> bool ref -> unit
(** [queue_once t home queued] is {!resume}, to be called again, by {!Weft_platform.Interrupt.complete}, until
    it returns: [queued] says whether [t] has been queued. *)

val wake_up : Job.home -> unit
(** Finds somebody to run what has been queued for a pool. From a worker of that pool: a sleeper, if there is
    one and nobody searches. *)

val end_suspended : 'a Job.suspended -> exn -> unit
(** [end_suspended s exn] queues the fiber [s], in which [exn] is to be raised, and takes it off the list of
    its pool; unless somebody else has undertaken to continue it. *)

val answer : 'a Job.t -> Job.parked -> unit
(** [answer j p], by the joiner of [j], which is parked as [p], performs the effect, and queues the fiber with
    what comes of that; if the fiber has been stopped meanwhile, that is raised in it instead. If a signal's
    exception leaves [j] {!Job.val-parked}, then {!fail_parked}. *)

val fail_parked : 'a Job.t -> Job.parked -> exn -> Printexc.raw_backtrace -> unit
(** Likewise, with an exception for an answer. *)

(** {1 Effects of tasks}

    See {!Job}. *)

val await : first:bool -> 'a Job.t -> 'a Job.waiter -> bool
(** [await ~first j w] adds [w], which awaits [j], to its waiters, or is [false] if [j] is settled. If [j]
    asks, [w] is told. [first] is as for {!Job.add}. *)

val perform_for : Job.asking -> unit -> unit
(** [perform_for a] performs the effect; [perform_for a ()] also has the task continued with what came of
    that. The answer is dropped if the task has been ended meanwhile. *)

val end_asking : Job.asking -> exn -> unit
(** [end_asking a exn] has the task continued with [exn], unless it has its answer. *)

val answer_at_once : Job.asking -> unit
(** [answer_at_once a] is [perform_for a ()]; a signal's exception that comes in between is also the task's.
*)

val ask : 'a Job.t -> Job.asking -> unit
(** [ask j a], of a task whose fiber is parked, tells the first of those who await [j]; or it waits for
    somebody to come. By its worker, or by who has been told and will not perform the effect. *)

val outsider : (unit -> unit) -> 'a Job.waiter
(** [outsider told] is a thread outside of all pools that awaits a task: it refuses effects. *)

val refuser : why:string -> 'a Job.waiter
(** Has the effects of a task refused that nobody awaits, or that an own handler of its caller's must not see:
    to be added before it may begin, or at once. *)

val deliver : 'a Job.t -> 'a Job.waiter list -> unit
(** [deliver j ws] tells all the waiters of [j], now settled; fibers are queued. *)
