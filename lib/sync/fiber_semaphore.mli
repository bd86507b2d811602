(** Counting semaphores: a number of units, which are taken and given back. OCaml's [Semaphore.Counting], with
    {!protect} and time-outs.

    Usable by fibers of any pool and threads of any domain, all at once. A unit has no owner: one fiber may
    acquire it and another release it.

    {b Fair.} A unit that is released goes to the fiber that has waited longest. Nobody overtakes those that
    wait, not even by {!try_acquire}.

    {b Cancellation and time-outs} end a wait, and the waiter leaves the queue, in O(1). If a unit was given
    to it at that very moment, the wait ends well: no unit is lost. To acquire a unit that is there does not
    look for cancellation.

    {b No poisoning.} {!protect} releases the unit if its function raises.

    {b Cost.} Each function is O(1). As long as nobody waits, one compare-and-set each to acquire and to
    release. Signal handlers must not use it. *)

type t

val create : int -> t
(** [create n] is a semaphore with [n] units.
    @raise Invalid_argument if [n < 0]. *)

val make : int -> t
(** {!create}, by OCaml's name. *)

val named : string -> t -> t
(** [named name s] is [s], which traces and their reports call [name] from now on. O(1). *)

val acquire : t -> unit
(** [acquire s] takes a unit. Suspends until it gets one, in its turn. *)

val acquire_timeout : float -> t -> unit
(** [acquire_timeout seconds s] is [acquire s], but waits for at most [seconds].
    @raise Weft.Cancel.Timeout if it got no unit in time. *)

val try_acquire : t -> bool
(** [try_acquire s] takes a unit if there is one, and tells whether it did. Never waits. *)

val release : t -> unit
(** [release s] gives a unit to the first in the queue, or back. Never suspends.
    @raise Invalid_argument if [s] has [max_int] units already. *)

val available : t -> int
(** [available s] is the number of units that were there at some moment of the call; 0 if somebody waits. *)

val get_value : t -> int
(** {!available}, by OCaml's name. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect s f] acquires a unit, calls [f], and releases the unit when [f] returns or raises. *)

(**/**)

(** Not for users: how {!Weft.Select} waits. *)
module Private : sig
  type turn
  (** See [Fiber_mutex.Private]. *)

  val turn : t -> 'v Weft_scheduler.Waiter.t -> 'v -> turn
  (** If it is given, its waiter is woken with this value, and has a unit. *)

  val enqueue : turn -> unit
  val leave : turn -> unit
end
