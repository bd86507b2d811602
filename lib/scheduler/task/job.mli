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
    Gave_way                                                         the same, in the middle of a computation
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
    hand. A fiber decides that by its {!module-Claim}, so it may be left in a list for a while; what is not
    removed stays reachable for as long as the job is unsettled.

    {b Effects of a stolen fork.} An effect that nothing in the fork's fiber handles is performed by the
    joiner, whose handlers it would have met if nobody had stolen the fork. The fiber is parked: the worker
    that ran it settles the fork with {!Performed}. The joiner, and it alone, finds that at the join, performs
    the effect on its own stack, {!retake}s the fork and has the fiber continued with the answer, and then
    waits for the fork again. What is parked is reachable from the fork alone: if the handler drops the
    joiner's continuation, the parked fiber becomes garbage too.

    {b Effects of a task.} An effect that nothing in the task's fiber handles is performed by the first fiber
    that awaits the task, at its await, for there it would have met that fiber's handlers if the task had been
    run in place. The task {!val-ask}s: if somebody awaits it already, the first who does is told, a fiber by
    {!Asked}. Else it [Asks], and whoever comes to await it {!add}s itself and is told. A fiber that is told
    performs the effect and has the task continued with the answer; before that, it is among the waiters
    again, as the first. Who can perform nothing refuses: see {!type-attendant}.

    The fiber that asks also waits like any other: it is listed in {!Suspended_fibers}, and may be cancelled.
    Whoever continues it, with an answer or with an exception, has set its [answered] flag; a task whose flag
    is set asks no longer, whatever its state says. *)

include module type of struct
  include Types.Job
end

val state : 'a t -> 'a state
(** An acquire load: whoever sees a settled job also sees what its function has written. Never read the field
    itself. *)

(** {1 Making} *)

val fork : 'a state -> (unit -> 'a) -> 'a t
(** [fork here f]: see {!Spawn_context.here}. *)

val task : spawn_context -> (unit -> 'a) -> 'a t
(** [task here f]: likewise. *)

val pending : unit -> 'a t

val pending_of_resolver : unit -> 'a t
(** Like {!pending}, for a promise that its resolver alone settles. *)

val has_resolver : 'a t -> bool
(** Whether it was made by {!pending_of_resolver}; it need not tell once it is settled. *)

val returned : 'a -> 'a t

val resumption : (unit -> unit) -> task
(** A job that a worker runs on its own stack, not in a new fiber: it continues a fiber. *)

val gave_way : (unit -> unit) -> task
(** The same for a fiber that gave way in the middle of a computation: what is ready goes first. *)

val nil : task
(** No job: what an empty deque returns. *)

(** {1 Moving} *)

val claim : 'a t -> running:'a state -> bool
(** [claim j ~running] is whether the caller is the one that runs [j]; then its state is [running], a
    [Running _]. *)

val is_own : spawn_context -> 'a t -> bool
(** [is_own here j]: [j] is a task that was made in the very context of [here], which is plain, and nobody has
    claimed it or waits for it. The usual case, decided by few loads. *)

val claim_own : spawn_context -> 'a t -> bool
(** The same, and claims it. *)

val is_resumption : 'a t -> bool
(** Whether it continues a fiber. One load. *)

val has_given_way : 'a t -> bool
(** Whether that fiber gave way. One load. *)

val is_unstarted_fork : 'a t -> bool
(** Whether it is a fork that nobody has claimed or waits for. One load. *)

val is_unstarted_task : 'a t -> bool
(** Whether it is a task that nobody has claimed, or a fork that somebody waits for. One load. *)

val is_stale : 'a t -> bool
(** Whether [j], found in a deque, is claimed already, so that its entry is stale. *)

val running : 'a state
(** [Running Fiber.none]. *)

val spawned_in : 'a t -> Fiber.context
(** The context in which an unclaimed job was made; {!Fiber.none} for any other. *)

val settle : 'a t -> 'a state -> 'a waiter list
(** [settle j s] makes [s] ([Returned] or [Raised]) the outcome of [j], which the caller has claimed, drops
    the closure, and returns the waiters. *)

val try_settle : 'a t -> 'a state -> 'a waiter list option
(** [try_settle j s] is [settle j s] for a created promise; [None] if it is settled already.
    @raise Not_created if [j] is a task's. *)

exception Not_created

exception Performed of parked
(** The outcome of a fork whose fiber is parked. Only the joiner sees it. *)

val parked : 'a t -> parked option

val retake : 'a t -> parked -> unit
(** [retake j p], by the joiner of [j], before it continues [p]: [j] is [Running] again. *)

type added =
  | Added
  | Settled
  | To_answer of asking
      (** the task asks, and [w] is the first to await it, and must be told. A [Fiber] is not added then *)

val add : 'a t -> 'a waiter -> first:bool -> added
(** [add j w ~first] adds [w] to the waiters of [j], unless [j] is settled. [first]: in front of all others,
    for a fiber that was the first to await it and has answered meanwhile; then O(waiters of [j]). *)

val add_waiter : 'a t -> 'a waiter -> bool
(** [add_waiter j w] adds [w], or is [false] if [j] is settled. Not for a [Fiber], [Removable] or [Attendant]
    of a task: these await it. *)

exception Asked of asking
(** Ends the wait of a fiber that is to perform the effect of the task that it awaits. *)

val ask : 'a t -> asking -> 'a waiter option
(** [ask j a], for a task that is not settled and whose fiber is parked, is the first of those who await [j];
    a [Fiber] is taken off the waiters. [None]: nobody awaits it, and [j] [Asks]. O(waiters of [j]). *)

val is_awaited : 'a waiter list -> bool
(** Whether somebody among them awaits the job. *)

val remove_waiter : 'a t -> 'a waiter -> bool
(** [remove_waiter j w] takes [w], which was added once with {!add_waiter}, off the waiters of [j], so that
    [j] does not keep it alive. [true]: [w] is not among them and will not be. [false]: [j] is settled, and
    [w] has been or is being delivered. Fibers that are claimed already, and removable waiters that have left
    or are not wanted, are removed with it. O(waiters of [j]); never waits; anybody may call it, any number of
    times. *)

val forget_waiter : 'a t -> 'a waiter -> unit
(** [forget_waiter j w] is {!remove_waiter} for a fiber [w] that is claimed. But when many waiters of one job
    give up, only some of them really go through the list, for all: a bounded share of them stays behind. *)

val removable : ?wanted:(unit -> bool) -> (unit -> unit) -> 'a waiter
(** [removable f] is a waiter that calls [f] like a {!Callback}. Once [wanted ()] is [false], it need not be
    called any more, as if it had left. *)

val clear_away : 'a t -> unit
(** Takes waiters of no more use off the waiters of [j], as {!forget_waiter} does. For code that adds waiters
    that may become unwanted by themselves; its cost does not grow with their number. *)

val leave : 'a t -> 'a waiter -> unit
(** [leave j w], for a {!type-removable}: it need not be called any more, and keeps nothing alive. A call may
    be under way. {!forget_waiter} comes next. *)

val leave_witness : 'a t -> 'a waiter -> unit
(** [leave_witness j w] is [leave j w], but an exception of [j], past or future, counts as awaited. [w] must
    have been added, or be added afterwards, if [j] is not settled. All that do so leave one {!Witness} among
    the waiters. *)

val tell : 'a t -> removable -> unit
(** Calls a removable waiter of [j], which is settled. *)

val is_settled : 'a t -> bool
(** Whether [j] has its outcome. *)

val canceller : 'a t -> canceller option
(** That of an unsettled task, if it has one. O(waiters of [j]). *)

(** {1 Outcomes} *)

val failure : exn -> Printexc.raw_backtrace -> failure

val raised : exn -> 'a state
(** [Raised], in the handler of that exception. *)

val observe : failure -> exn * Printexc.raw_backtrace
(** The exception, which from now on counts as awaited. *)

val witness : 'a t -> unit
(** [witness j] {!observe}s the exception of [j], if it is settled with one. *)

val is_raised_with : 'a t -> exn -> bool
(** Whether [j] is settled with this very exception, compared physically. *)

val watch : failure -> Uncaught.origin -> unit
(** [watch f origin] reports [f] to {!Uncaught} if it becomes garbage, or its pool is closed, before anybody
    {!observe}d it. Not if it is {!Fiber.Cancelled}: whoever cancels a task knows of its end. *)

val get : 'a t -> 'a
(** The outcome of a settled job: returns it or raises it with its backtrace. *)

exception Delivered of exn * Printexc.raw_backtrace
(** How {!continue_with} raises. [Suspend.perform] raises the exception inside, with its backtrace. *)

val continue_with : ('a, unit) Effect.Deep.continuation -> 'a t -> unit
(** [continue_with k j] continues [k] with the outcome of the settled job [j]; an exception may be wrapped in
    {!Delivered}. *)
