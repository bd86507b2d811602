(** Alarms: how a pool learns that the time of its earliest timer has come, without a ticking thread.

    One thread for the whole process sleeps until the earliest time that any alarm is {!set} to. It is a plain
    C thread, started when it is first needed: it is no domain and never enters OCaml's runtime, so it delays
    no collection, and it takes no signals. When the time of an alarm has come, the alarm {e goes off}:

    + the alarm is no longer set;
    + it is due: {!is_due};
    + every deque that {!watch}es is preempted ([Deque_memory.request_preempt]), so that a worker that does
      nothing but fork looks;
    + one of the parkers that watch is given a token: the first that a thread is waiting on. If there is none,
      all are given tokens.

    A worker that sees that the alarm is due {!take_due}s it, runs the timers, and {!set}s the alarm to the
    earliest time that is left.

    {b What workers must do}: look at {!is_due} after every wait for their parkers, however it ends and
    whatever comes next, before the next wait, and when they were preempted.

    {b Why no worker sleeps through it.} The alarm is due before the thread looks at the parkers. If it finds
    one that is waiting, the token ends that wait, and the worker looks: after it took the token, so it sees
    what was written before the token was given. If it finds none, every worker that waits later takes a token
    first, does not wait, and looks. (A worker that was about to wait, and had looked before the alarm was
    due, is one of these.) It does not matter if a token was meant for something else: the worker that takes
    it looks, too. If another worker has taken what was due meanwhile, nothing is left to do.

    {b Why no time is missed.} {!set} does nothing if the alarm is set to that time or an earlier one: it will
    go off then, and that is enough if everybody keeps this rule: first add the timer to the collection of
    timers, by an atomic step or under a lock, then {!set}; and {!take_due} before looking at the collection.
    For if [set] finds the alarm set, it has not gone off that time (the first step above), so it will be due
    later, and the worker that takes it looks at the collection after the timer was added. Nobody unsets an
    alarm: if timers have been cancelled, it goes off for nothing, once.

    {b Late readers.} Alarms lie outside the heap and are never freed but used again, so a thread that still
    has an alarm which is {!free} does no harm: at worst a false alarm. *)

type t

val now : unit -> int
(** Nanoseconds on the system's monotonic clock ([CLOCK_MONOTONIC]): it starts anywhere, is the same for all
    threads, and never goes back. 25 to 50 ns. *)

val set_virtual : int -> unit
(** [set_virtual t]: from now on {!now} returns [t], and each call of {!Tsc.now} a time later by what a long
    block takes. Alarms still go by the real clock. *)

val never : int
(** [max_int]: the time that does not come. *)

val start : unit -> unit
(** Starts the thread, if there is none yet. To be called before timers are added. 2 ns once it runs.
    @raise Sys_error if the system refuses. *)

val create : unit -> t
(** An alarm that is not set and not due. *)

val free : t -> unit
(** Gives the alarm back for another {!create}: it goes off no more. Once. *)

val watch : t -> deque:'a Deque_memory.t -> parker:Parker.t -> unit
(** From now on the alarm, when it goes off, also preempts the owner of [deque], who waits on [parker]. Both
    may be gone before the alarm is {!free}. *)

val set : t -> int -> unit
(** [set a time]: [a] goes off at [time] at the latest, by {!now}; at once, if that has passed. If it is set
    to that time or an earlier one already, nothing: one load. Else a lock, and a system call if [time] is
    earlier than all that the thread waits for. From any thread. No safepoint.

    In a child process of a fork an alarm that was set goes off at once, and the thread is started anew by
    {!start}, or here; if the system refuses that here, the alarm is not set. *)

val is_due : t -> bool
(** Whether [a] has gone off and nobody has taken that yet. One load. *)

val take_due : t -> bool
(** [take_due a] is [is_due a], and [a] is not due any more: if several threads ask, one gets [true]. *)
