(** Threads that wait from outside for something of Weft's, and the one of them that looks out.

    A thread from outside may wait for a pool whose workers all wait for that very thread, or for another one
    from outside: a task that joins a thread which calls Weft. No worker can find that out. So those who wait
    from outside do, whether they are workers that sleep, or sleep outside: they stand in one line for the
    whole process, and the first in line wakes up every few milliseconds and {!look}s at the pools
    ({!Extra_workers}). The others sleep until they are first, or have what they wait for.

    {b The rule}: while threads {!park} here, the first in line looks. Whoever leaves the line unparks who is
    first then; a token comes as well when what the thread waits for has happened. So after each {!park} the
    thread looks whether it has what it waits for, and if not, parks again, in its place: if it left the line
    first, two such threads would unpark each other for ever.

    {b When all pools are idle} there is nothing to see: the first in line says that it {e rests}, looks once
    more, and sleeps. Whoever becomes active in a pool {!wake}s it. That one is counted active under the lock
    under which the resting thread looks: so either it is seen, or it sees that the thread rests. *)

type t
(** A thread's place in the line: for one wait. *)

val place : Parker.t -> t
(** Of a thread that is going to wait on this parker. It is not in line yet. *)

val while_in_line : t -> (unit -> 'a) -> 'a
(** [while_in_line t f] is [f ()], which {!park}s, and then, whatever happens, {!leave}s. *)

val park : t -> float -> unit
(** [park t seconds] waits for a token, at most so many seconds, perhaps [infinity]; it may be over sooner for
    no reason. From then on the thread is in line. Besides the wait some 0.1 us. *)

val leave : t -> unit
(** Leaves the line, if it is in it. To be called before the thread does anything else that takes long. *)

val look : (unit -> bool) ref
(** What the first in line calls: whether it may have to look again soon. *)

val wake : unit -> unit
(** A pool is not idle any more. To be called under the lock of its sleepers; never waits; one load mostly. *)
