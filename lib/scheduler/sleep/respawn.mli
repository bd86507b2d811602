(** Workers that retire, and are respawned.

    A worker that has been listed for a while may let its thread go. It stays listed; whoever wakes it
    {e respawns} it: starts a thread anew. *)

open Sleepers

type leave = Gone | Woken | Needed

val retire : t -> sleeper -> leave
(** The worker, whose deque is empty and not attached, is [Gone], if it is still [Idle]. From then on the
    caller must not touch anything that belongs to the worker: another thread may be it. [Woken]: it is not
    listed any more. [Needed]: it is the spare, the last that waits while the room is full or there are timers
    or deferred jobs, and must wait again. *)

val alarm_needed : t -> unit
(** To be called when there is a timer that was not there before, or a job was deferred: if nobody waits, one
    is respawned to wait for the alarm. Never waits for the lock. Two loads if somebody waits; if not, a
    domain is started by the caller, which takes 0.1 ms or more. *)

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

val absent : t -> sleeper -> unit
(** The worker takes part, but is gone from the start: it is respawned when it is needed. *)

val lost : t -> sleeper -> soon:bool -> unit
(** The worker's thread was ended by an exception, and it has left or never joined: it is {!absent} again.
    Unless [soon], it has done nothing, and what ended it may come back: it is respawned again only after some
    50 ms, like a worker whose domain could not be started. *)

(** {1 Under the lock} *)

val somebody : t -> to_search:bool -> sleeper option
(** Of those who are listed, the first that is there or comes. *)

val try_the_unable : t -> bool
(** If some could not be respawned a while ago, they are listed again, and it is [true]: there may be a domain
    to be had again. What was pushed meanwhile was announced to nobody, so whoever is not about to wake one of
    them must hand on. *)

val keep_spare : t -> unit
(** Somebody there waits while the room is full, or there are timers or deferred jobs; if nobody does, one is
    respawned. *)
