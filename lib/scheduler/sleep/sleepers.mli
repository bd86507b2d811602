(** What is known of the workers of one pool: who works, searches, sleeps, or is retired.

    Changed by {!Sleep} and {!Respawn} alone, under the lock. *)

include module type of struct
  include Types.Sleepers
end

val create : watch:(unit -> unit) -> needs_alarm:(unit -> bool) -> room:int -> Deque_memory.word -> t
(** Keeps the pool's wake word. [watch ()] is called under the lock when a worker becomes active and nobody is
    asked to look yet: some milliseconds later somebody should look how the active workers fare, and say
    {!Sleep.looked}. [needs_alarm ()] is whether there are timers, or deferred jobs ({!Deque.push_deferred}),
    for which somebody must wait for the alarm, too; asked under the lock too. *)

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
