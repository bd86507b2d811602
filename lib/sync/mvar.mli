(** Places for one value, full or empty, as in Concurrent Haskell: {!put} waits while the place is full,
    {!take} while it is empty.

    It may serve as a channel of one element, as a value with its lock, or as a lock.

    Fibers are served in the order in which they came: a {!put} into an empty place hands the value to the
    fiber that has waited longest to take it, if any; a {!take} from a full place lets the fiber put that has
    waited longest. One operation wakes one fiber; only readers are all served at once. Fibers of any pool,
    other threads and other domains may use the same place, signal handlers may not.

    A fiber that gives up waiting (cancelled, timed out) has neither put nor taken anything, and nothing is
    lost for the others. Outside of all pools, a signal handler's exception may arrive just after an operation
    has done its work.

    {b Cost.} Each function is O(1), with a lock that is held for some tens of nanoseconds; a {!put} or
    {!try_put} that fills the place takes O(those that wait to read) too. *)

type 'a t

val create : ?value:'a -> unit -> 'a t
(** [create ()] is an empty place, [create ~value ()] one with [value] in it. *)

val put : ?timeout:float -> 'a t -> 'a -> unit
(** [put m v] puts [v] into [m]. While [m] is full it suspends the calling fiber, or holds up the calling
    thread.
    @raise Weft.Cancel.Timeout if that takes longer than [timeout] seconds.
    @raise Weft.Cancel.Cancelled if the calling fiber is cancelled while it waits. *)

val take : ?timeout:float -> 'a t -> 'a
(** [take m] takes the value out of [m]. While [m] is empty it suspends the calling fiber, or holds up the
    calling thread; it raises what {!put} does. *)

val read : ?timeout:float -> 'a t -> 'a
(** [read m] is the value in [m], which stays there. While [m] is empty it waits, like {!take}; the next value
    to come is seen by all that wait to read, before it is taken. *)

val try_put : 'a t -> 'a -> bool
(** [try_put m v] is like {!put}, but is [false] if [m] is full. Never suspends. *)

val try_take : 'a t -> 'a option
(** [try_take m] is like {!take}, but is [None] if [m] is empty. Never suspends. *)

val try_read : 'a t -> 'a option
(** [try_read m] is the value in [m], or [None] if [m] is empty. Never suspends. *)

(**/**)

(** Not for users: how {!Weft.Select} waits. *)
module Private : sig
  type entry = {
    add : unit -> unit;  (** queues it, or does it at once *)
    remove : unit -> unit;  (** takes it out, if it is queued. O(1) *)
  }
  (** One that is not queued yet. Its function is called under the lock; if it is [false], its owner is served
      elsewhere, and nothing happens. *)

  val take : 'a t -> ('a -> bool) -> entry
  val put : 'a t -> 'a -> (unit -> bool) -> entry
  val read : 'a t -> ('a -> unit) -> entry

  val give_back : 'a t -> 'a -> unit
  (** For a value that was taken, and that nobody has seen: it is the next to be taken. *)
end
