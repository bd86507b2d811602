(** Threads that wait outside the pools for something of Weft's; one of them looks at the pools.

    A thread from outside may wait for a pool whose workers all wait for that very thread, or for another one
    from outside: a task that joins a thread which calls Weft. No worker can find that out. So the threads
    that wait from outside do, whether they are workers that sleep, or sleep outside. They form one queue for
    the whole process. The first in the queue wakes up every few milliseconds and {!look}s at the pools
    ({!Extra_workers}). The others sleep until they are first, or what they wait for has happened.

    {b The rule}: while threads {!park} here, the first in the queue looks. A thread that leaves the queue
    unparks the one that is first then; a token comes as well when what a thread waits for has happened. So
    after each {!park} the thread looks whether that has happened, and if not, parks again, in its place: if
    it left the queue first, two such threads would unpark each other for ever.

    {b When all pools are idle} there is nothing to see: the first in the queue says that it {e rests}, looks
    once more, and sleeps. A worker that becomes active {!wake}s it. The worker is counted active under the
    lock under which the resting thread looks: so either it is seen, or it sees that the thread rests. *)

type t
(** A thread's place in the queue: for one wait. *)

val place : Parker.t -> t
(** For a thread that will wait on this parker. It is not in the queue yet. *)

val while_queued : t -> (unit -> 'a) -> 'a
(** [while_queued t f] is [f ()], which {!park}s, and then, whatever happens, {!leave}s. *)

val park : t -> float -> unit
(** [park t seconds] waits for a token, at most so many seconds, perhaps [infinity]; it may end sooner for no
    reason. From then on the thread is in the queue. Costs some 0.1 us besides the wait. *)

val leave : t -> unit
(** Leaves the queue, if the thread is in it. Call it before the thread does anything else that takes long. *)

val look : (unit -> bool) ref
(** Called by the first in the queue; answers whether it may have to look again soon. *)

val wake : unit -> unit
(** A pool is no longer idle. Call it under the lock of its sleepers; never waits; mostly one load. *)
