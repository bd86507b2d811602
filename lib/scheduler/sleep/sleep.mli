(** Who searches for work and who sleeps, so that no job waits while a worker that could run it sleeps.

    The protocol, with the argument why no wake-up is lost, is in [README.md] beside this file. In short: a
    pusher reads one word, {!Weft_platform.Deque_memory.wake}, without lock or barrier after its push; it is
    non-zero only when somebody sleeps and nobody searches. A worker that goes to sleep announces itself,
    issues the heavy barrier, and looks at every queue once more before it waits. *)

open Sleepers

val join : t -> sleeper -> more:(unit -> bool) -> unit
(** The worker takes part from now on: {!all_listed} counts it. If others that could not be respawned are
    tried again thereby, and there is [more ()] work, one is woken. *)

val leave : t -> sleeper -> more:(unit -> bool) -> unit
(** It takes part no longer, whatever it was doing. [more ()] tells whether there is work in any queue: if it
    was the last searcher, and there is, another worker is woken. *)

(** {1 A worker's moves} *)

val start_search : t -> sleeper -> bool
(** [Working -> Searching], and [true], unless the searchers are as many as half of the workers that work
    already. *)

val stop_search : t -> sleeper -> more:(unit -> bool) -> unit
(** [Searching -> Working]: it found work. The last searcher wakes another worker if there is [more ()]. *)

val prepare_wait : t -> sleeper -> unit
(** [Working] or [Searching] [-> Idle], then the heavy barrier: what was pushed before by somebody who saw a
    zero word is visible from now on. The caller must look at all queues, then {!commit_wait} or
    {!cancel_wait}. *)

val cancel_wait : t -> sleeper -> leaving:bool -> bool
(** [Idle -> Searching], if no waker has done so already; [false] if the room is full, unless the worker is
    [leaving]: then it must {!commit_wait}, and those who are active find what it has found. *)

val is_woken : t -> sleeper -> bool
(** Whether it is not [Idle] any more. *)

val while_moving_jobs : t -> (unit -> unit) -> unit
(** By a listed worker that moves jobs from the timers or its deque to a queue: meanwhile they are in neither,
    and the pool does not count as idle ({!all_listed}). *)

val while_waiting : sleeper -> (unit -> 'a) -> 'a
(** [while_waiting s f] is [f ()], which {!commit_wait}s, perhaps several times, and does nothing else that
    takes long: between two waits it stays in the line of {!Outside_waiters}. *)

val commit_wait : sleeper -> float option -> Parker.outcome
(** Waits for a waker, or a signal, or for this many seconds. *)

(** {1 Room} *)

val is_crowded : t -> bool
(** Whether workers sleep for lack of room. A hint. *)

val is_over : t -> bool
(** Whether more workers are active than there is room for: who is between two jobs should {!prepare_wait}
    itself. A hint. *)

val room : t -> int
(** As {!set_room} has said. *)

val excess : t -> int
(** How many more work or search than there is room for, extra workers included; mostly negative. A hint. *)

val add_room : t -> int -> unit
(** Adds room, or with a negative number takes it back, for extra workers ({!Extra_workers}), besides what
    {!set_room} says. Before one joins, and when it has left. *)

val set_room : t -> int -> more:(unit -> bool) -> unit
(** At least 1. If that makes room, and there is [more ()] work, another worker is woken. *)

val is_watched : t -> bool
(** Whether [watch] was called, and nobody has {!looked} since. *)

val looked : t -> more:(unit -> bool) -> unit
(** Calls [watch] again, if need be. If some could not be respawned 50 ms ago (up to 400 ms, the more often
    that was tried in vain), and there is [more ()] work, they are tried again. *)

(** {1 Wakers} *)

val wake_one : t -> (unit -> unit) -> unit
(** [wake_one t done_so] wakes one listed worker as a searcher and calls [done_so ()], unless somebody
    searches already (who will look at all queues before it sleeps), the room is full, or nobody is listed.
    Never waits for the lock: if that is held, its holder does it. About 2 us if somebody sleeps, 50 ns if
    nobody does; 0.1 ms or more if all who are listed are gone and a domain has to be started. *)

val wake_another : t -> unit
(** By who has submitted from outside while there was more to do: if all who search have yet to begin, one
    more shall come. A new thread takes long to begin, and can respawn the next one only then. Never waits. *)

val started : t -> sleeper -> unit
(** By the new thread of a worker that was respawned, and found nothing at once. *)

val working_at_once : t -> sleeper -> more:(unit -> bool) -> (unit -> unit) -> unit
(** [working_at_once t s ~more f] is for the new thread of a worker that was respawned to search, and has a
    job already: [f ()] executes it. As {!started}, {!stop_search} and [f ()], but [f] does not wait for the
    lock, which whoever is just respawning the next one holds for as long as a domain takes to start: then the
    rest is left to that one. Until that is done the worker counts as a searcher. *)

val nobody_comes : t -> bool
(** Whether all who may work do: nobody searches, or could be woken. A hint. *)

val all_listed : t -> and_:(unit -> bool) -> bool
(** Whether every worker that takes part is listed, none of them moves jobs ({!while_moving_jobs}), and
    [and_ ()], asked under the lock: meanwhile nobody becomes active, and what lies in their deques stays
    there. *)
