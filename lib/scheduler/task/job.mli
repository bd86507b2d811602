(** Jobs: units of work with a place for their outcome. A promise is a job too.

    A job is one heap block of two fields (three words with its header). The first is its state, used as an
    atomic; who may move it from where to where:

    {v
    Fork ----claim----> Running ----settle----> Returned | Raised    the right side of a par
    Task ----claim----> Running ----settle----> Returned | Raised    an async task nobody waits for yet
      \-add_waiter-> Awaited_task --claim--> Awaited_running         ... and one that a callback waits for
    Running --add_waiter--> Awaited_running --settle--> ...          whoever waits for a running job
    Pending ---------settle---------> Returned | Raised              a created promise
      \-add_waiter-> Awaited_pending --settle--> ...
    Resume                                                           a fiber to be continued; in one queue, once
    Running | Awaited_running --ask--> Asks --add--> the same        a task that performs an effect
    Running | Awaited_running --settle--> Raised Performed --retake--> Running
                                                                     a stolen fork that performs an effect
    Awaited_* --remove_waiter--> the same with fewer waiters, or without any
    v}

    {b Exactly once.} [claim] is a compare-and-set away from [Fork], [Task] or [Awaited_task], so one claimant
    wins, wherever the job lies; a deque entry whose job is claimed already is stale and skipped. The one
    exception is {e the} fast path: the joiner of a [Fork] that pops the job from its own deque runs it
    without touching the state, since the deque gives each entry to one taker, and only the joiner could claim
    it otherwise.

    {b No lost wake-up.} [add_waiter] is a compare-and-set onto an unsettled state, and [settle] an exchange:
    a waiter is either in the list that settle gets back, or sees the settled state and does not wait.

    {b Giving up.} [remove_waiter] is a compare-and-set from an unsettled state to an unsettled one: either
    the waiter is out, and [settle] never sees it, or [settle] came first and its caller has the waiter in
    hand. A fiber decides that by its [claimed] flag, so it may be left in a list for a while; what is not
    removed stays reachable for as long as the job is unsettled.

    {b Effects of a stolen fork.} An effect that nothing in the fork's fiber handles is performed by the
    joiner, whose handlers it would have met if nobody had stolen the fork. The fiber is parked: the worker
    that ran it settles the fork with {!Performed}. The joiner, and it alone, finds that at the join, performs
    the effect on its own stack, {!retake}s the fork and has the fiber continued with the answer, and then
    waits for the fork again. What is parked is reachable from the fork alone: a joiner that is dropped by the
    handler drops it too.

    {b Effects of a task.} An effect that nothing in the task's fiber handles is performed by the first fiber
    that awaits the task, at its await, for there it would have met that fiber's handlers if the task had been
    run in place. The task {!val-ask}s: if somebody awaits it already, the first who does is told, a fiber by
    {!Asked}. Else it [Asks], and whoever comes to await it {!add}s itself and is told. A fiber that is told
    performs the effect and has the task continued with the answer; before that, it is among the waiters
    again, as the first. Who can perform nothing refuses: see {!type-attendant}.

    The fiber that asks also waits like any other: it is listed in {!Suspended_fibers}, and may be cancelled.
    Whoever continues it, with an answer or with an exception, has set its [answered] flag; a task whose flag
    is set asks no longer, whatever its state says. *)

type failure
(** An exception with its backtrace. *)

type 'a state =
  | Fork of {
      context : Fiber.context;  (** that it was made in *)
      task : spawn_context;  (** the [Task] of this context *)
      plain : bool;  (** it has no bindings, and is not {!Fiber.is_stoppable} *)
      mutable inside : spawn_context;  (** see {!Spawn_context.walled}; [Resume] at first *)
    }
  | Task of Fiber.context  (** the context it was made in *)
  | Running of Fiber.context
      (** that of the fiber that runs it; {!Fiber.none} if that is its joiner or awaiter *)
  | Resume
  | Pending
  | Awaited_task of Fiber.context * 'a waiter list
  | Awaited_running of 'a waiter list
  | Awaited_pending of 'a waiter list
  | Asks of asking * 'a waiter list
      (** a task whose effect is for whoever comes to await it; like [Awaited_running], once that is answered
      *)
  | Returned of 'a
  | Raised of failure

and spawn_context = unit state
(** A [Fork]: what a worker keeps of the context of the fiber that it runs. *)

and 'a t = { mutable state : 'a state; mutable run : unit -> 'a }

(** Waiters are listed youngest first. *)
and 'a waiter =
  | Joiner of ('a, unit) Effect.Deep.continuation
      (** the fiber that joins a stolen fork; always of the pool of the thief *)
  | Fiber of 'a suspended  (** a fiber of any pool *)
  | Callback of (unit -> unit)  (** called by the settling thread; must neither raise nor wait *)
  | Guest of guest  (** likewise, but it may {!leave}; an effect is refused *)
  | Attendant of attendant  (** who awaits it, but is no fiber that has been suspended *)
  | Witness  (** nobody who waits, but the exception, if it comes to one, counts as awaited *)

and guest = { call : (unit -> unit) Atomic.t; wanted : unit -> bool }

and attendant = {
  told : unit -> unit;  (** called by the settling thread, like a {!Callback} *)
  ask : asking -> bool;
      (** called by who runs the task, or by who adds the attendant: it sees to the answer, soon; or is
          [false], since it has been taken off the waiters. Must not wait *)
}

and 'a suspended = {
  continuation : ('a, unit) Effect.Deep.continuation;
  claimed : bool Atomic.t;  (** whether somebody has undertaken to continue it *)
  home : home;
  mutable entry : Suspended_fibers.entry;
}

and home = {
  name : string;
  mutable queue : task -> unit;  (** puts a fiber into the pool's injector *)
  mutable wake : unit -> unit;  (** then finds somebody to run it; may be called again *)
  suspended : Suspended_fibers.t;
}
(** What others need to know of a fiber's pool: how to hand it back. *)

(** A fiber that has performed an effect, and is continued with the answer. *)
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
  answered : bool Atomic.t;  (** whether somebody has undertaken to continue it *)
  listed : Suspended_fibers.entry;
  noted : Uncaught.id option Atomic.t;  (** while nobody awaits it *)
}
(** A task that is parked. Its entry knows it weakly: if nobody can await the task any more, or who was to
    answer has been dropped, it becomes garbage, and is ended by its finaliser. *)

(** A job of any type, as the queues hold it. *)
and task = T : 'a t -> task [@@unboxed]

val state : 'a t -> 'a state
(** Acquires: whoever sees a settled job also sees what its function has written. So nobody reads the field
    itself. *)

(** {1 Making} *)

val fork : 'a state -> (unit -> 'a) -> 'a t
(** [fork here f]: see {!Spawn_context.here}. *)

val task : spawn_context -> (unit -> 'a) -> 'a t
(** [task here f]: likewise. *)

val pending : unit -> 'a t
val returned : 'a -> 'a t

val resumption : (unit -> unit) -> task
(** A job that a worker runs on its own stack, not in a new fiber: it continues a fiber. *)

val nil : task
(** A job that is none: what an empty deque gives. *)

(** {1 Moving} *)

val claim : 'a t -> running:'a state -> bool
(** [claim j ~running] is whether the caller is the one to run [j], which is [running] then: a [Running _]. *)

val is_own : spawn_context -> 'a t -> bool
(** [is_own here j] is whether [j] is a task that was made in the very context of [here], which is plain, and
    that nobody has claimed or waits for: the usual case, at the price of few loads. *)

val claim_own : spawn_context -> 'a t -> bool
(** Likewise, and claims it. *)

val is_resumption : 'a t -> bool
(** Whether it continues a fiber. One load. *)

val is_unstarted_fork : 'a t -> bool
(** Whether it is a fork that nobody waits for, and nobody has claimed it. One load. *)

val is_unstarted_task : 'a t -> bool
(** Whether it is a task, or a fork that somebody waits for, and nobody has claimed it. One load. *)

val is_stale : 'a t -> bool
(** Whether [j], found in a deque, is claimed already: nobody need find it there. *)

val running : 'a state
(** [Running Fiber.none]. *)

val maker : 'a t -> Fiber.context
(** The context that a job was made in which is not claimed; {!Fiber.none} of any other. *)

val settle : 'a t -> 'a state -> 'a waiter list
(** [settle j s] makes [s] ([Returned] or [Raised]) the outcome of [j], which the caller has claimed, drops
    the closure, and is the waiters. *)

val try_settle : 'a t -> 'a state -> 'a waiter list option
(** [try_settle j s] is [settle j s] for a created promise, or [None] if it is settled already.
    @raise Not_created if [j] is a task's. *)

exception Not_created

exception Performed of parked
(** The outcome of a fork whose fiber is parked. Seen by the joiner alone. *)

val parked : 'a t -> parked option

val retake : 'a t -> parked -> unit
(** [retake j p], by the joiner of [j], before it has [p] continued: [j] is [Running] again. *)

type added =
  | Added
  | Settled
  | To_answer of asking
      (** the task asks, and [w] is the first to await it: to be told. A [Fiber] is not added then *)

val add : 'a t -> 'a waiter -> first:bool -> added
(** [add j w ~first] adds [w] to the waiters of [j], unless [j] is settled. [first]: in front of all others,
    for who has been the first to await it and has answered meanwhile. O(waiters of [j]) then. *)

val add_waiter : 'a t -> 'a waiter -> bool
(** [add_waiter j w] adds [w], or is [false] if [j] is settled. Not for a [Fiber], [Guest] or [Attendant] of a
    task: these await it. *)

exception Asked of asking
(** What the wait of a fiber ends with that is to perform the effect of the task that it awaits. *)

val ask : 'a t -> asking -> 'a waiter option
(** [ask j a], of a task that is not settled and whose fiber is parked: is the first of those who await [j],
    and takes it off the waiters if it is a [Fiber]; or is [None], and [j] [Asks]. O(waiters of [j]). *)

val is_awaited : 'a waiter list -> bool
(** Whether somebody among them awaits the job. *)

val remove_waiter : 'a t -> 'a waiter -> bool
(** [remove_waiter j w] takes [w], which was added (once) with {!add_waiter}, off the waiters of [j], so that
    [j] does not keep it alive. [true]: [w] is not among them and will not be. [false]: [j] is settled, and
    [w] has been or is being delivered. Fibers that are claimed already, and guests that have left or are
    unwanted, go with it. O(waiters of [j]); never waits; may be called by anybody, as often as one likes. *)

val forget_waiter : 'a t -> 'a waiter -> unit
(** [forget_waiter j w] is like {!remove_waiter} for a fiber [w] that is claimed, but of many waiters of one
    job that give up only some really go through the list, for all: a share of them stays behind, which is
    bounded. *)

val guest : ?wanted:(unit -> bool) -> (unit -> unit) -> 'a waiter
(** [guest f] is a waiter that calls [f] like a {!Callback}. Once [wanted ()] is [false], it need not be
    called any more, as if it had left. *)

val clear_away : 'a t -> unit
(** Takes those off the waiters of [j] that are of no use any more, as {!forget_waiter} does: by whoever adds
    guests that may become unwanted by themselves, at a cost that does not grow with their number. *)

val leave : 'a t -> 'a waiter -> unit
(** [leave j w], of a {!type-guest}: it need not be called any more, nor keeps what it calls alive. It may be
    under way. Then {!forget_waiter}. *)

val leave_witness : 'a t -> 'a waiter -> unit
(** [leave_witness j w] is [leave j w], but the exception of [j], if it comes or came to one, counts as
    awaited. [w] must have been added, or be added afterwards, if [j] is not settled. Leaves one {!Witness}
    among the waiters for all that do so. *)

val tell : 'a t -> guest -> unit
(** Calls a guest of [j], which is settled. *)

val is_settled : 'a t -> bool
(** Whether [j] has its outcome. *)

(** {1 Outcomes} *)

val failure : exn -> Printexc.raw_backtrace -> failure

val raised : exn -> 'a state
(** [Raised], in the handler of that exception. *)

val observe : failure -> exn * Printexc.raw_backtrace
(** The exception, which from now on counts as awaited. *)

val witness : 'a t -> unit
(** [witness j] {!observe}s the exception of [j], if it is settled with one. *)

val watch : failure -> pool:string -> unit
(** [watch f ~pool] reports [f] to {!Uncaught} when it becomes garbage, or [pool] is closed, before anybody
    {!observe}d it. Not if it is {!Fiber.Cancelled}: who cancels a task knows of its end. *)

val get : 'a t -> 'a
(** The outcome of a settled job: returns it or raises it with its backtrace. *)

exception Delivered of exn * Printexc.raw_backtrace
(** How {!continue_with} raises. [Suspend.perform] raises what it was, with its backtrace. *)

val continue_with : ('a, unit) Effect.Deep.continuation -> 'a t -> unit
(** [continue_with k j] continues [k] with the outcome of the settled job [j]; an exception may be wrapped in
    {!Delivered}. *)
