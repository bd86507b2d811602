(** Mutual exclusion: at most one fiber or thread holds a mutex.

    A mutex may be used by fibers of any pool, and by threads of any domain, all at once. To wait for it
    suspends the calling fiber, so the domain goes on with other work; outside a pool it blocks the calling
    thread alone. A fiber may suspend ({!Weft.await}, {!Weft.yield}, ...) and move to another domain while it
    holds a mutex.

    {b Holder.} The fiber that locked a mutex holds it (outside a pool, the thread), and nobody else may
    unlock it. A fork ({!Weft.par}) or a task may run in the fiber that made it or in another: lock and unlock
    in the same function. A call that enters a pool from outside ({!Weft.run}, [Weft.Scope.run],
    [Weft.Cancel.with_timeout]) runs its function in a fiber, to which the mutexes of the calling thread do
    not belong: enter first, then lock.

    {b Order.} {!unlock} makes the mutex free and wakes the fiber that has waited longest. Until that fiber
    runs, others may lock the mutex before it: so the mutex can be used while a fiber is being woken. The
    fiber then waits again, as the first. Nobody starves: the next unlock hands the mutex to a fiber that has
    waited for half a millisecond. But there is at most one such hand-over in half a millisecond: where [n]
    fibers wait, the last may wait for [n] half-milliseconds, besides the time for which others hold the
    mutex. A {!lock} that finds the mutex taken looks again for about two microseconds before it waits, if the
    holder runs. A {!Weft.Select} that waits for a mutex is always handed it, in the order in which they came:
    while one waits, nobody can come in between.

    {b Fair} mutexes ({!create_fair}) are handed over to the fiber that has waited longest, and nobody can
    come in between. The price: until that fiber runs, the mutex is locked and nobody uses it, so under
    contention each lock takes as long as waking a fiber.

    {b Cancellation and time-outs} end a wait, and the waiter leaves the queue, in O(1). If the mutex was
    handed over at that very moment, the wait ends well: neither a hand-over nor a wake-up is lost. A time-out
    counts from the call of {!lock_timeout}, however often the fiber is woken.

    {b No poisoning.} {!protect} unlocks the mutex if its function raises, and the next holder sees the data
    as they were left: a function that may raise half-way must repair them itself. The next holder is told by
    {!Weft.Poisoning_mutex}.

    {b Cost.} Each function is O(1). Locking a free mutex and unlocking it is one compare-and-set each, and
    allocates nothing. A mutex takes some 40 words. Signal handlers must not use it: they may interrupt the
    very holder that they would wait for.

    {b Limits}: [doc/limits.md], section {e Waiting, locks and channels}. *)

type t

val create : unit -> t
(** A mutex that nobody holds. *)

val create_fair : unit -> t
(** A mutex that nobody holds: first come, first served. *)

val named : string -> t -> t
(** [named name m] is [m], which traces and their reports call [name] from now on. O(1). *)

val lock : t -> unit
(** [lock m] waits until the caller holds [m]. Suspends, unless [m] is free.
    @raise Invalid_argument if the caller holds [m] already. *)

val lock_timeout : float -> t -> unit
(** [lock_timeout seconds m] is [lock m], but waits for at most [seconds].
    @raise Weft.Cancel.Timeout if [m] was not free in time.
    @raise Invalid_argument if the caller holds [m] already. *)

val try_lock : t -> bool
(** [try_lock m] locks [m] if it is free, and tells whether it did. Never waits. *)

val unlock : t -> unit
(** [unlock m] makes [m] free, or hands it over (see {b Order}). Never suspends.
    @raise Invalid_argument if the caller does not hold [m]. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect m f] is [f ()], called with [m] locked; [m] is unlocked when [f] returns or raises.
    @raise Invalid_argument if the caller holds [m] already, or no longer holds it when [f] has returned. *)

(**/**)

(** Not for users: how {!Weft.Select} and {!Weft.Condition} wait. *)
module Private : sig
  type turn

  val turn : t -> 'v Weft_scheduler.Waiter.t -> 'v -> turn
  (** [turn m waiter v] is a turn of the caller at [m], in no queue yet. If it is given, [waiter] is woken
      with [v], and if that succeeds, the caller (of [turn]) holds [m]; else the next in the queue gets it.
      Several turns may have the same waiter, with different values. *)

  val enqueue : turn -> string -> unit
  (** [enqueue t what] puts [t] into the queue; or gives it at once, if [m] is free; or does nothing, if its
      waiter is closed. If it raises, {!leave}. Does not suspend.
      @raise Invalid_argument if the caller holds [m] already; the message names [what]. *)

  val leave : turn -> unit
  (** Takes the turn out of the queue, if it is there. Afterwards it is not given any more; whether it was,
      the waiter says. O(1). *)

  val is_mine : t -> bool
  (** Whether the caller holds the mutex. *)

  val lock_as : ?timeout:float -> t -> string -> unit
  (** {!Fiber_mutex.lock}, for the function of that name. *)

  val unlock_as : t -> string -> unit
end
