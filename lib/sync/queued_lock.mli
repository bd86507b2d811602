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

    {b Signals.} The exception of a signal handler may end a wait that has its turn already, or the giving
    itself, or an unlocking before it has begun. So steps under the lock are done {!completely}; a giver that
    was interrupted asks the cell whether it has been woken; a turn says whether it was {e given}; and whoever
    {!withdraw}s one that was gives on what came with it.

    Except for {!make}, {!completely} and {!wait}, all this is under the lock. *)

type 'a turn
type 'a t = 'a turn Wait_queue.place
type 'a line = 'a turn Wait_queue.t

val make : 'v Waiter.t -> 'v -> 'a -> 'a t
(** [make cell v about] is a turn that is given by waking [cell] with [v]. [about] is for the giver. If
    several turns have the same cell, each has another [v]. *)

val about : 'a t -> 'a

val give : 'a t -> bool
(** [give t] takes [t], the first in its line, out of it and wakes its waiter; [false]: that one has given up.
    From the return to its next safepoint the caller makes the change that goes with it. If interrupted, to be
    called again. *)

val is_new : 'a t -> bool
(** Whether it is neither in line nor given, and its waiter has not given up. *)

val withdraw : 'a t -> bool
(** Takes a turn out of its line, if it is in one; whether it was given. Then, up to its next safepoint, the
    caller takes back the change that went with it. *)

type progress = {
  mutable over : bool;  (** set when the step has returned *)
  mutable changed : bool;  (** for the step: what it does once has been done *)
  mutable misuse : bool;  (** for the step, to tell *)
}
(** How far a step has come. *)

val completely : Lock.t -> ('a -> progress -> unit) -> 'a -> progress
(** [completely l step x] calls [step x p] with [l] held, and is [p]. Whatever signals bring, from the very
    call on, it comes to the end; only then an exception of theirs is raised. If interrupted, [step] is called
    again, with [l] held all the time, and must do what is left to do. It must not raise by itself. The call
    must not be preceded by a safepoint: so [step] is a function without a closure of its own, and [x] is
    there. *)

val wait :
  ?timeout:float ->
  what:string ->
  ?about:int ->
  enter:('a -> unit) ->
  withdraw:('a -> unit) ->
  'a ->
  'v Waiter.t ->
  'v
(** [wait ~what ~enter ~withdraw x cell] is [enter x], which puts the turn of [cell] into its line, then
    {!Weft_scheduler.Waiter.await}. Whatever exception ends that, [withdraw x] comes before it. *)
