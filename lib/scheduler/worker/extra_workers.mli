(** Extra workers, for pools whose workers all wait for threads from outside.

    {b The case.} A task blocks its worker until a thread or domain is done, by a join or a condition, and
    that thread, or another one that it waits for in turn, calls Weft: its job lies in a queue, and no worker
    is left to take it. So it is with one domain and one such task, with two and two.

    {b The rule}: while a thread from outside waits in a call of Weft ({!Outside_waiters}), whatever is ready
    in any pool, and lies untouched for some milliseconds while no worker is free, gets one more worker. It is
    a fallback worker of the pool ({!External_slot}), called to a place of its own until there is nothing left
    that it could do. If it is blocked in its turn, the next one comes, until all that block each other have
    what they wait for. The caller runs nothing itself: below a task that it took it might be what that task
    waits for. Nor does its domain, which cannot end before its threads: a fallback worker is a thread of the
    caller's domain only where there is no domain to be had.

    {b What is untouched}: at two looks that follow each other, there is something in the injector or the
    background, or a timer is due, and no worker has begun a job in between; or a deque is not empty, and its
    owner has neither pushed nor popped nor begun anything, and nobody has stolen from it. And nobody searches
    or could be woken. It may be that the workers compute for long, without forks: then an extra worker does
    no harm, but a second or third one would only be in the way. So if an extra worker has run since the last
    look, the next one comes after 0.1 s, and twice as long for each further one.

    {b An extra worker} has a worker's place, with a deque, that is kept for the next one until the pool ends.
    Its index is 0, as that of the slot: it does not step down, and it makes room for itself
    ({!Sleep.add_room}). All others steal from it ({!Worker.type-parts}); it takes part in all that workers
    agree upon. Closing waits until there is none, and lets none come any more
    ({!Pool_state.type-t.slot_kept}). In a profiled pool there is none, since one worker is measured there. *)

val look : unit -> bool
(** Looks at all pools; for {!Outside_waiters.look}. [true]: some pool is not idle, or another thread looks
    now, so look again soon. Some microseconds. *)
