(** Condition variables: to wait, with a mutex held, for something that others will bring about.

    {[
      Weft.Mutex.protect m (fun () ->
          while Queue.is_empty q do
            Weft.Condition.wait nonempty m
          done;
          Queue.take q)
    ]}

    Usable by fibers of any pool and threads of any domain, all at once.

    {b Order.} Waiters are woken in the order in which they came, and only by {!signal} or {!broadcast}. A
    waiter that is woken must then wait for its turn at the mutex, and others may have changed things
    meanwhile: so wait in a loop.

    {b Nothing is missed.} {!wait} is in the queue before it unlocks the mutex. So a fiber that locks the
    mutex afterwards and signals finds it there.

    {b Cancellation and time-outs} end the wait for the signal, and the waiter leaves the queue, in O(1). A
    signal that meets a waiter that has given up goes to the next in the queue. The mutex is then locked again
    whatever happens: that wait is shielded from both.

    {b Cost.} Each function is O(1), but {!broadcast} O(those that wait), and {!wait} and {!wait_timeout} cost
    what {!Weft.Mutex} costs besides. {!signal} and {!broadcast} of a condition that nobody waits for are a
    load. *)

type t

val create : unit -> t
(** A condition that nobody waits for. *)

val named : string -> t -> t
(** [named name c] is [c], which traces and their reports call [name] from now on. O(1). *)

val wait : t -> Fiber_mutex.t -> unit
(** [wait c m] unlocks [m], which the caller holds, suspends until [c] is signalled, and locks [m] again. The
    caller holds [m] when [wait] returns, and also when it raises.
    @raise Invalid_argument if the caller does not hold [m]. *)

val wait_timeout : float -> t -> Fiber_mutex.t -> unit
(** [wait_timeout seconds c m] is [wait c m], but waits for a signal for at most [seconds].
    @raise Weft.Cancel.Timeout if no signal comes in time; the caller holds [m] again.
    @raise Invalid_argument if the caller does not hold [m]. *)

val signal : t -> unit
(** [signal c] wakes the first in the queue; nothing if nobody waits. Never suspends. Need not hold the mutex.
*)

val broadcast : t -> unit
(** [broadcast c] wakes all that wait at this moment, in order. Never suspends. *)

(**/**)

(** Not for users: how {!Weft.Select} waits. *)
module Private : sig
  type turn
  (** See [Fiber_mutex.Private]. *)

  val turn : t -> 'v Weft_scheduler.Waiter.t -> (pass_on:(unit -> unit) -> 'v) -> turn
  (** If nobody has seen that it was given, [pass_on ()] gives the signal to the next. *)

  val enqueue : turn -> unit
  val leave : turn -> unit

  val check_holder : Fiber_mutex.t -> string -> unit
  (** @raise Invalid_argument if the caller does not hold the mutex; the string names the function. *)

  val lock_again : Fiber_mutex.t -> unit
  (** As {!wait} does. *)

  val wait_as : ?timeout:float -> what:string -> t -> Fiber_mutex.t -> unit
  (** {!wait} by the name [what]. *)
end
