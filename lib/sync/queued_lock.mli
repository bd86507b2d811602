(** Turns: what those wait for who stand in line for a lock.

    {!Fiber_mutex}, {!Fiber_semaphore}, {!Rwlock} and {!Fiber_condition} are the same machine. What is free or
    taken lies in one atomic word, the {e state}, as long as nobody waits: then a compare-and-set is all. Once
    somebody waits, the word says [queued], and all else happens under a {!Weft_platform.Lock}: the contents
    of the word in a plain field, and a {!Weft_scheduler.Wait_queue} of turns.

    {v
    state     who moves it      how                                     to
    any s     anyone            compare-and-set, as s allows            what s becomes: the fast path
    any s     with the lock     field := s, compare-and-set             queued: begins every slow operation
    queued    with the lock     field changed; turns given; line empty  what the field says
    queued    with the lock     field changed; turns given              stays
    v}

    So every slow operation is: lock, [queued], its own change, {e serve} (give turns from the front of the
    line for as long as the field allows; then, if the line is empty, put the field back into the word),
    unlock.

    {b Nobody is lost.} The word is [queued] whenever the line is not empty and the lock is free: so no fast
    path succeeds while somebody waits, nobody is overtaken, and whoever gives something back serves the line.
    What is given to a waiter is never free in between.

    For the time of a slow operation the word may be [queued] though nobody waits. So a try that finds it so
    looks again with the lock held before it says no.

    {b Giving up.} A turn has a {!Weft_scheduler.Waiter}, which is closed once: by the giver, or by its
    waiter, who has been cancelled, has timed out, or has won elsewhere ({!Weft.Select}). A giver who finds it
    closed goes on with the next. Whoever gives up takes its turn out of the line, in O(1), and serves the
    line again, since it may have been all that held the others up.

    A wait may also end with what a signal's handler raises in a thread outside, when the turn has been given
    already: so a turn says whether it was {e given}, and whoever {!withdraw}s one that was gives on what came
    with it.

    Except for {!make} and {!wait}, all this is under the lock. *)

type 'a turn
type 'a t = 'a turn Wait_queue.place
type 'a line = 'a turn Wait_queue.t

val make : 'v Waiter.t -> 'v -> 'a -> 'a t
(** [make cell v about] is a turn that is given by waking [cell] with [v]. [about] is for the giver. If
    several turns have the same cell, each has another [v]. *)

val about : 'a t -> 'a

val is_open : 'a t -> bool
(** Whether its waiter waits, or is about to: it has neither been woken nor given up. *)

val give : 'a t -> bool
(** [give t] takes [t], the first in its line, out of it and wakes its waiter; [false]: that one has given up.
*)

val withdraw : 'a t -> bool
(** Takes a turn out of its line, if it is in one; whether it was given, which it is no longer. *)

val wait : ?timeout:float -> what:string -> ?about:int -> withdraw:('a -> unit) -> 'a -> 'v Waiter.t -> 'v
(** [wait ~what ~withdraw x cell] is {!Weft_scheduler.Waiter.await}, when the turn of [cell] is in its line.
    Whatever exception ends that, [withdraw x] comes before it. *)
