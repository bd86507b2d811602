(** What is known of the workers of one pool: who works, searches, sleeps, or is retired.

    Changed by {!Sleep} and {!Respawn} alone, under the lock. *)

type status =
  | Detached  (** takes no part: an empty slot, or before {!Sleep.join} and after {!Sleep.leave} *)
  | Working
  | Searching
  | Idle

type sleeper = {
  parker : Parker.t;
  mutable status : status;
      (** guarded by the lock of {!t}; written by the worker itself, by who wakes it, and by whoever does what
          it has left to the lock's holder *)
  place : Outside_waiters.t option;  (** of the slot for outside threads, and of extra workers *)
  mutable is_retired : bool;  (** guarded by it too: it is [Idle], and no thread is this worker *)
  mutable respawn : (unit -> bool) option;
      (** of a worker that can retire: starts a thread that is this worker, and notes that it {!Respawn.came};
          or is [false]. Called under the lock of {!t}; set before the worker retires *)
  mutable spells : int;  (** times it became active *)
  mutable woken : bool;  (** a waker made it search, and it has not found anything yet *)
  mutable starting : bool;  (** its thread was respawned to search, and has yet to begin *)
  counts : Worker_stats.counts;  (** of the worker *)
}
(** What is known here of a worker. *)

type t = {
  lock : Lock.t;
  word : Deque_memory.word;
  mutable listed : sleeper list;
      (** youngest first: its caches are the warmest; after them those that are retired, likewise *)
  mutable unable : sleeper list;  (** retired, and could not be respawned *)
  mutable failed_at : int;  (** when that was seen last *)
  mutable again_after : int;  (** how long they are not tried again *)
  mutable present : int;  (** workers that a thread is *)
  mutable shut : bool;
  mutable working : int;
  mutable searching : int;
  mutable starting : int;  (** of those who search: whose threads have yet to begin *)
  mutable moving : int;  (** of those who are listed: see {!Sleep.while_moving_jobs} *)
  mutable room : int;  (** for all, the extra workers too *)
  mutable extra : int;  (** of it, the extra workers' *)
  mutable watched : bool;  (** [watch] was called, and nobody has looked since *)
  watch : unit -> unit;
  timers : unit -> bool;
}

val create : watch:(unit -> unit) -> timers:(unit -> bool) -> room:int -> Deque_memory.word -> t
(** Keeps the pool's wake word. [watch ()] is called under the lock when a worker becomes active and nobody is
    asked to look yet: some milliseconds later somebody should look how the active workers fare, and say
    {!Sleep.looked}. [timers ()] is whether there are any; asked under the lock too. *)

val sleeper : interruptible:bool -> sleeper
(** A worker that works; [interruptible] if it may be a thread that handles signals ({!Weft_platform.Parker}).
*)

(** {1 Under the lock} *)

val move : t -> sleeper -> status -> unit
(** The worker is in that state from now on. *)

val updated : t -> unit
(** Sets the wake word, and asks for a look ([watch]), by what has changed. *)

val no_longer_starting : t -> sleeper -> unit

(** {1 Hints without it} *)

val active : t -> int
(** How many work or search. *)

val is_full : t -> bool
(** As many are active as there is room for. *)

val first_again_after : int
(** Nanoseconds, of [again_after]. *)
