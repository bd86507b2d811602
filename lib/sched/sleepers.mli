(** Who searches for work and who sleeps, so that no job waits while a worker that could run it sleeps.

    The protocol, with the argument why no wake-up is lost, is in [SLEEPERS.md] beside this file. In short: a
    pusher reads one word, {!Weft_support.Deque_cells.wake}, without lock or barrier after its push; it is
    non-zero only when somebody sleeps and nobody searches. A worker that goes to sleep announces itself,
    issues the heavy barrier, and looks at every queue once more before it waits. *)

type t
(** The sleepers of one pool. *)

type status = Working | Searching | Listed

type sleeper = {
  parker : Parker.t;
  mutable status : status;
      (** guarded by the lock of {!t}; [Working] and [Searching] are written by the worker itself *)
  mutable parks : int;  (** times it waited *)
  mutable wakes : int;  (** times it woke another one *)
}
(** What is known here of a worker. *)

val create : Deque_cells.word -> t
(** Keeps the pool's wake word. *)

val sleeper : interruptible:bool -> sleeper
(** A worker that works; [interruptible] if it may be a thread that handles signals ({!Weft_support.Parker}).
*)

val join : t -> sleeper -> joined:bool ref -> unit
(** The worker takes part from now on: {!all_listed} counts it. [joined] is set in the same step. *)

val leave : t -> sleeper -> left:bool ref -> more:(unit -> bool) -> unit
(** It takes part no longer, whatever it was doing; [left] is set in the same step. [more ()] tells whether
    there is work in any queue: if it was the last searcher, and there is, another worker is woken. May be
    called again. *)

(** {1 A worker's moves} *)

val start_search : t -> sleeper -> bool
(** [Working -> Searching], and [true], unless the searchers are as many as half of the workers that work
    already. *)

val stop_search : t -> sleeper -> more:(unit -> bool) -> unit
(** [Searching -> Working]: it found work. The last searcher wakes another worker if there is [more ()]. *)

val announce : t -> sleeper -> unit
(** [Working] or [Searching] [-> Listed], then the heavy barrier: what was pushed before by somebody who saw a
    zero word is visible from now on. The caller must look at all queues, then {!wait} or {!retract}. *)

val retract : t -> sleeper -> unit
(** [Listed -> Searching], if no waker has done so already. *)

val wait : t -> sleeper -> Parker.outcome
(** Waits for a waker, or a signal. *)

(** {1 Wakers} *)

val wake_one : t -> (unit -> unit) -> unit
(** [wake_one t done_so] wakes one listed worker as a searcher and calls [done_so ()], unless somebody
    searches already (who will look at all queues before it sleeps) or nobody is listed. Never waits, not even
    for the lock: if that is held, its holder does it. About 2 us if somebody sleeps, else 50 ns. *)

val none_listed : t -> bool
(** Whether nobody sleeps. A hint. *)

val all_listed : t -> bool
(** Whether every worker that takes part is listed. *)
