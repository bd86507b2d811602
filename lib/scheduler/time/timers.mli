(** The timers of a pool: callbacks that are each called once at their time, unless cancelled first.

    {b One ordered set}, by time, and by age at the same time: the standard library's persistent [Set] in one
    atomic word. Every operation builds the new set and puts it in place by compare-and-set, or tries again.
    So nobody waits, and signal handlers may do all that others may. A timer is pending if and only if it is
    in the set: {!cancel} or {!run_due}, whichever takes it out, has it alone, and a cancelled timer leaves
    nothing behind.

    {b The alarm} is set to the earliest time, or an earlier one. {!add} puts the timer into the set and then
    sets the alarm. A worker that sees that the alarm {!is_due} calls {!run_due}, which takes the alarm, then
    reads the set, and at last sets the alarm to the earliest time left. By that rule no time is missed, see
    {!Weft_platform.Timer_thread}. After cancellations the alarm goes off for nothing, and is then set anew.

    Times are nanoseconds of {!Weft_platform.Timer_thread.now}. A timer fires late, never early: by the time
    that the system takes to wake a thread (some 50 us; the clock itself is exact to the nanosecond), and by
    the time until a worker looks. *)

type t
(** The timers of one pool. *)

type timer

val create : Timer_thread.t -> t
(** No timers yet. The alarm is for them alone. *)

val add : ?holds:bool -> t -> at:int -> (unit -> unit) -> timer
(** [add t ~at f] makes the next {!run_due} at or after [at] call [f ()]. [f] must neither raise (if it does,
    so does {!run_due}, and the others stay due) nor wait; it may call any function of this module. At
    {!never}: not at all. Call {!Respawn.alarm_needed} afterwards. If it does not hold (by default it does),
    closing the pool does not wait for its time. O(log n).
    @raise Sys_error
      if the clock cannot be watched, see {!Weft_platform.Timer_thread.start}; nothing is added then. *)

val cancel : t -> timer -> bool
(** [cancel t timer]: [true] if [timer] was pending; it will not be called. [false] if it was cancelled
    before, was called, or is about to be: [run_due] has it. Always [true] for a timer at {!never}. The timer
    must be one of [t]'s. O(log n). *)

val is_due : t -> bool
(** Whether the alarm has gone off: somebody should {!run_due}. One load. *)

val run_due : t -> unit
(** Takes the alarm ({!Weft_platform.Timer_thread.take_due}), calls the timers that are due, by time, and by
    age at the same time, and sets the alarm for those left. From any thread, at any time. If several run at
    once, each timer is called by one of them, and the order is that of each alone. *)

(** {1 What is pending}

    Exact at some moment during the call, and no more than a hint afterwards. Timers that a [run_due] under
    way has taken and not yet called do not count. *)

val next : t -> int option
(** The earliest time. *)

val is_empty : t -> bool

val hold : t -> bool
(** Whether any of them holds its pool while it is being closed. O(n). *)

val count : t -> int
(** O(n). *)

(** {1 Events}

    The alarm may also go off because of an event outside the program: a descriptor that is ready
    ({!Weft_platform.Poller}). Whoever waits for one counts it meanwhile, so that somebody looks at the alarm,
    and a pool that waits for nothing else is no deadlock. *)

val expect_event : t -> unit
(** One more is waited for. Call {!Respawn.alarm_needed} afterwards. *)

val forget_event : t -> unit
(** One less. *)

val expects_none : t -> bool
(** Whether no event is expected. *)

val is_quiet : t -> bool
(** Whether no timer is pending and no event expected: the alarm has no reason to go off. *)

val on_alarm : (unit -> unit) ref
(** Called by each {!run_due}, after the timers, even if one of them has raised: resumes those whose events
    have come. Must neither raise nor wait. *)

(** {1 Times} *)

val never : int
(** [max_int]: no such time comes. *)

val check_seconds : who:string -> float -> unit
(** @raise Invalid_argument in the name of [who] if the number is nan. *)

val deadline : who:string -> float -> int
(** [deadline ~who seconds] is the time in [seconds] from now, rounded up to a nanosecond: now, if [seconds]
    is 0 or negative; {!never}, if it is infinite or beyond what the clock can count (73 years).
    @raise Invalid_argument in the name of [who] if [seconds] is nan. *)

val moment : who:string -> float -> int
(** [moment ~who seconds] is the time at which the clock stands at [seconds], likewise: but for rounding, the
    inverse of {!seconds}. *)

val seconds : int -> float
(** A time in seconds. *)
