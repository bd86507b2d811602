(** Who searches for work and who sleeps, so that no job waits while a worker that could run it sleeps.

    The protocol, with the argument why no wake-up is lost, is in [README.md] beside this file. In short: a
    pusher reads one word, {!Weft_platform.Deque_memory.wake}, without lock or barrier after its push; it is
    non-zero only when somebody sleeps and nobody searches. A worker that goes to sleep announces itself,
    issues the heavy barrier, and looks at every queue once more before it waits. *)

type t
(** The sleepers of one pool. *)

type status =
  | Detached  (** takes no part: an empty seat, or before {!join} and after {!val-leave} *)
  | Working
  | Searching
  | Idle

type sleeper = {
  parker : Parker.t;
  mutable status : status;
      (** guarded by the lock of {!t}; written by the worker itself, by who wakes it, and by whoever does what
          it has left to the lock's holder *)
  place : Outside_waiters.t option;
      (** of the seat and its like: who is in it may be one who waits from outside *)
  mutable is_retired : bool;  (** guarded by it too: it is [Idle], and no thread is this worker *)
  mutable respawn : (unit -> bool) option;
      (** of a worker that can retire: starts a thread that is this worker, and notes that it {!came}; or is
          [false]. Called under the lock of {!t}; set before the worker retires *)
  mutable spells : int;  (** times it became active *)
  mutable woken : bool;  (** a waker made it search, and it has not found anything yet *)
  mutable starting : bool;  (** its thread was respawned to search, and has yet to begin *)
  mutable searches : int;  (** times it began to search *)
  mutable late : int;  (** times only its last look, after the search, found something *)
  mutable idle_wakes : int;  (** times it was woken and found nothing *)
  mutable retired : int;  (** times its thread was let go *)
  mutable returns : int;  (** times it was respawned *)
  mutable parks : int;  (** times it waited *)
  mutable wakes : int;  (** times it woke another one *)
}
(** What is known here of a worker. *)

val create : watch:(unit -> unit) -> timers:(unit -> bool) -> room:int -> Deque_memory.word -> t
(** Keeps the pool's wake word. [watch ()] is called under the lock when somebody should look, some
    milliseconds later, how those who are active fare, and say {!looked}: because several are, because the
    room is full and others are listed, or because others could not be respawned. [timers ()] is whether there
    are any; asked under the lock too. *)

val sleeper : interruptible:bool -> sleeper
(** A worker that works; [interruptible] if it may be a thread that handles signals ({!Weft_platform.Parker}).
*)

val join : t -> sleeper -> more:(unit -> bool) -> unit
(** The worker takes part from now on: {!all_listed} counts it. If others that could not be respawned are
    tried again thereby, and there is [more ()] work, one is woken. *)

val absent : t -> sleeper -> unit
(** The worker takes part, but is gone from the start: it is respawned when it is needed. *)

val lost : t -> sleeper -> soon:bool -> unit
(** The worker's thread was ended by an exception, and it has left or never joined: it is {!absent} again.
    Unless [soon], it has done nothing, and what ended it may come back: it is respawned again only after some
    50 ms, like a worker whose domain could not be started. *)

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

val while_attending : t -> (unit -> unit) -> unit
(** By a listed worker that sees to timers: meanwhile the pool is not idle ({!all_listed}), for what a timer
    resumes is neither among the timers nor in a queue for a moment. *)

val while_waiting : sleeper -> (unit -> 'a) -> 'a
(** [while_waiting s f] is [f ()], which {!commit_wait}s, perhaps several times, and does nothing else that
    takes long: between two waits it stays in the line of {!Outside_waiters}. *)

val commit_wait : t -> sleeper -> float option -> Parker.outcome
(** Waits for a waker, or a signal, or for this many seconds. *)

(** {1 Retiring}

    A worker that has been listed for a while may let its thread go. It stays listed; whoever wakes it
    {e respawns} it: starts a thread anew. *)

type leave = Gone | Woken | Needed

val retire : t -> sleeper -> leave
(** The worker, whose deque is empty and not attached, is [Gone], if it is still [Idle]. From then on the
    caller must not touch anything that belongs to the worker: another thread may be it. [Woken]: it is not
    listed any more. [Needed]: it is the spare, the last that waits while the room is full or there are
    timers, and must wait again. *)

val timer_added : t -> unit
(** To be called when there is a timer that was not there before: if nobody waits, one is respawned to wait
    for the alarm. Never waits for the lock. Two loads if somebody waits; if not, a domain is started by the
    caller, which takes 0.1 ms or more. *)

val came : t -> sleeper -> unit
(** Under the lock, by [respawn]: it is there again. *)

val present : t -> int
(** How many workers are there. A hint. *)

val is_deserted : t -> bool
(** Whether no worker is there. A hint. *)

val shut : t -> unit
(** From now on nobody retires or is respawned. *)

val shut_soon : t -> unit
(** The same, without waiting for the lock: if that is held, its holder does it. *)

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

val active : t -> int
(** How many work or search. A hint. *)

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
(** Whether every worker that takes part is listed, none of them attends to timers, and [and_ ()], asked under
    the lock: meanwhile nobody becomes active, and what lies in their deques stays there. *)
