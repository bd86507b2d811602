(** Workers: what each has, and its queues. {!Steal} says where it looks for jobs, {!Run_job} how it runs one,
    {!Resume} how a fiber that waited goes on, and {!Worker_loop} is what it does all day. *)

type t = {
  index : int;  (** in its pool; 0 is the place for an outside thread *)
  deque : Job.task Deque.t;
  parts : parts;
  sleeper : Sleepers.sleeper;
  mutable thread : int;  (** its [Thread.id], who is this worker, or was last *)
  mutable clock : Thread_clock.t;  (** of that thread *)
  mutable gone_at : int;  (** when it retired last, by [Timer_thread.now] *)
  mutable keep_alive : float;  (** so many seconds it waits before it retires *)
  mutable random : int;  (** state of the generator that picks victims *)
  mutable attending : bool;
      (** it sees to timers in the middle of a fiber, which may go on for long: what it resumes goes to the
          injector *)
  mutable settle_at : int;  (** when [settle] is due; [max_int]: it was called, or need not be *)
  mutable rounds : int;  (** so often it goes round the others at its next search *)
  mutable slept_at : int;  (** when it last fell asleep, by {!Weft_platform.Timer_thread.now} *)
  mutable eldest : int;  (** the index of the top of its deque, when it was looked at last *)
  mutable eldest_since : int;  (** when that was seen first, by [Timer_thread.now] *)
  mutable handed_at : int;  (** not before then it does {!Hand_over.hand_over} again, likewise *)
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
  sleepers : Sleepers.t;
  alarm : Timer_thread.t;
  timers : Timers.t;  (** set on [alarm] *)
  home : Job.home;
  mutable idle : unit -> unit;  (** called by a worker that is about to wait *)
  mutable look : unit -> unit;  (** called by a worker when the alarm has gone off *)
  mutable settle : t -> unit;
      (** called by the new thread of a worker after the first job that ends a millisecond after its start, or
          in the middle of a job, when the deque is called; and by a thread from outside, when its deque is
          called *)
}
(** What the workers of a pool share. The mutable fields are set while the pool is made; [extras] anew when a
    place is added. *)

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

val hurry : parts -> unit
(** If there is something in the injector that nobody comes for, one of those who work is to give way a
    millisecond later. *)

val push_only : t -> Job.task -> unit
(** {!push}, and nobody is woken. *)

val push : t -> Job.task -> unit
(** Puts a job into the calling worker's own deque, and wakes somebody if need be. *)

val put_back : Job.task -> Job.home -> unit
(** Queues it in the injector. *)

val look_at_injector : t -> unit
(** The calling worker takes its next job from the injector, if there is one. *)

val look_at_eldest : t -> unit
(** Likewise, from the top of its own deque. *)

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

val wake_up : Job.home -> unit
(** Finds somebody to run what has been queued for a pool. From a worker of that pool: a sleeper, if there is
    one and nobody searches. *)

(** {1 For the other modules of the worker} *)

val search_rounds : int
(** So often a worker goes round the others in a search, at most. *)

val fewest_rounds : int
(** And at least. *)

val short_sleep : int
(** Nanoseconds. A search would have spared a sleep that is shorter. *)

val number : t -> int
(** For {!Trace_hooks}. *)

val sleeps_between : int
(** After so many sleeps a worker tells again who it is. *)

val tell_of_job : t -> resumed:bool -> unit
(** To the listener: it begins with a job, or goes on with one. *)
