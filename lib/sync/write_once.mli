(** A place for one value that is put once: {!Ivar}, {!Latch} and {!Once} are made of it.

    {v
    Empty --wait--> Awaited waiters        the first that has to wait makes the queue
      \               |
       `----put-----> Full v             for ever
    v}

    {b Nobody is lost.} A waiter joins the queue under the queue's lock, and only if the state is still that
    [Awaited]. [put] exchanges the state for [Full]; if it was [Awaited], it wakes all in the queue, under the
    lock, first come, first served: so a waiter is in the queue by then, or sees [Full].

    {b Giving up.} A waiter whose wait ends otherwise (cancelled, timed out) leaves the queue, in O(1); one
    that is being woken at that moment gets the exception all the same, which takes nothing from the others.

    [put] takes the lock by {!Weft_platform.Lock.do_soon} only, so that signal handlers may call it. *)

type 'a t

val create : unit -> 'a t
(** An empty place; two words, and a lock with a queue once somebody waits. *)

val put : 'a t -> 'a -> bool
(** [put d v] fills [d] with [v], or is [false] if it is full. Never waits. From any thread, domain or signal
    handler. *)

val peek : 'a t -> 'a option
(** The value, if it is there. *)

val wait : ?timeout:float -> what:string -> 'a t -> 'a
(** [wait ~what d] is the value of [d], once it is there. Suspends; see {!Weft_scheduler.Waiter.await} for
    [timeout], [what], and what is raised. *)

type watcher
(** A function to be called once there is a value. *)

val watcher : 'a t -> (unit -> unit) -> watcher
(** One that is not called yet. *)

val watch : watcher -> unit
(** Has it called: at once, if the place is full, else by {!put}, under the queue's lock. *)

val unwatch : watcher -> unit
(** It need not be called any more; a call may be under way. O(1). *)
