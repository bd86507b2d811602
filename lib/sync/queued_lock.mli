(** The queue of a lock, and the protocol that all locks share.

    {!Fiber_semaphore}, {!Rwlock} and {!Fiber_condition} follow it, and {!Fiber_mutex} for those to whom it is
    handed over. While nobody waits, one atomic word, the {e state}, says what is free or taken, and a
    compare-and-set is all. Once somebody waits, the word says [queued], and everything else happens under a
    {!Weft_platform.Lock}: the contents of the word in a plain field, and a {!Weft_scheduler.Wait_queue} of
    turns. A {e turn} is the wish of one waiter.

    {v
    state     who moves it      how                                      to
    any s     anyone            compare-and-set, as s allows             what s becomes: the fast path
    any s     with the lock     field := s, compare-and-set              queued: begins every slow operation
    queued    with the lock     field changed; turns given; queue empty  what the field says
    queued    with the lock     field changed; turns given               stays
    v}

    So every slow operation is: lock, [queued], its own change, {e serve} (give turns from the front of the
    queue for as long as the field allows; then, if the queue is empty, put the field back into the word),
    unlock.

    {b Nobody is lost.} The word is [queued] whenever the queue is not empty and the lock is free: so no fast
    path succeeds while somebody waits, nobody is overtaken, and an operation that gives something back serves
    the queue. What is given to a waiter is never free in between.

    During a slow operation the word may be [queued] though nobody waits. So a try that finds it so looks
    again with the lock held before it says no.

    {b Giving up.} A turn has a {!Weft_scheduler.Waiter}, which is closed once: by the giver, or by its owner,
    which has been cancelled, has timed out, or has won elsewhere ({!Weft.Select}). A giver that finds it
    closed goes on with the next. A waiter that gives up takes its turn out of the queue, in O(1), and serves
    the queue again, since its turn may have been all that held the others up.

    In a thread outside, a signal's handler may also end the wait with an exception when the turn has been
    given already. So a turn says whether it was {e given}; to {!withdraw} one that was means to pass on what
    came with it.

    Except for {!make} and {!wait}, all this is under the lock. *)

type 'a turn
type 'a t = 'a turn Wait_queue.node
type 'a queue = 'a turn Wait_queue.t

val make : 'v Waiter.t -> 'v -> 'a -> 'a t
(** [make waiter v about] is a turn that is given by waking [waiter] with [v]. [about] is for the giver.
    Several turns with the same waiter have different [v]. *)

val about : 'a t -> 'a

val is_open : 'a t -> bool
(** Whether its owner waits, or is about to: it has neither been woken nor given up. *)

val give : 'a t -> bool
(** [give t] takes [t], the first in its queue, out of it and wakes its owner; [false]: the owner has given
    up. *)

val withdraw : 'a t -> bool
(** Takes a turn out of its queue, if it is in one; returns whether it had been given. From now on it counts
    as not given. *)

val wait :
  ?timeout:float ->
  what:string ->
  ?about:Trace_hooks.about ->
  withdraw:('a -> unit) ->
  'a ->
  'v Waiter.t ->
  'v
(** [wait ~what ~withdraw x waiter] is {!Weft_scheduler.Waiter.await}, when the turn of [waiter] is in its
    queue. If an exception ends the wait, [withdraw x] is called first. *)
