(** Who is at a structure: the owner, and how the ownership goes on.

    The {e owner} applies an operation in place, or serves those who have lined up ({!Lining_up}): it takes
    all of them off the gate, as many as make a batch are applied, the ownership is passed on, and then the
    callers are told ({!Rounds}). Passing on means: the gate is left; or, if there is somebody to be served, a
    task is forked that does so; or, if the next one wanted a turn of its own, the ownership is that caller's.
    The owner outside of any pool passes it on to the pool of a fiber that waits, or else to the thread that
    has waited longest, which then serves those behind it as well.

    Ownership is always passed on: whatever an operation raises goes into its cell; a round, and the handing
    over itself, is a row of stages, each noted before it has an effect that must not be repeated, so that an
    exception of a signal's handler leads to the next stage ({!Weft_platform.Interrupt}). Such an exception
    may come wherever something is allocated, and in loops: so whoever becomes the owner has, or makes at
    once, all that it takes to go on, and comes without either to the [try] that protects it. *)

open Weft_scheduler

exception Reentrant of string

type 'p word = ('p, Waiters.t) Publication_list.word

type 'p t = {
  gate : ('p, Waiters.t) Publication_list.t;
  mutable thread : Waiters.identity;  (** that applies an operation in place outside of any pool; or nobody *)
  mutable around : Job.spawn_context;  (** where the last fiber was that applied one in place *)
  mutable inside : Job.spawn_context;  (** a step further in: where it did that *)
  mutable within : Fiber.context;  (** that a batch runs in *)
  mutable taken : 'p word;  (** a chain that is not yet in [line]; [Busy]: none *)
  mutable line : 'p word array;  (** those taken off the gate, in the order in which they came *)
  mutable first : int;  (** the first of [line] that is still to be served *)
  mutable serves : bool;  (** those in [line]: a round is under way *)
  mutable round : unit -> unit -> unit;  (** see {!Rounds.make} *)
  tally : Counts.t;
  exec_of_it : string;  (** what those wait in who call it *)
  of_it : string;  (** what is appended to the names of other waits *)
}
(** What is mutable belongs to the owner, but for [round]; others may look at [serves]. ['p] is a packed
    operation. *)

val make : int -> 'p t
(** Nobody is there. The structure's number, as in {!Span}. *)

val is_outside : unit -> bool
(** The calling thread is no worker. *)

(** {1 At the structure} *)

val check : 'p t -> string -> unit
(** @raise Reentrant in the name given, if called from inside an operation or a batch. *)

val in_place : 'p t -> ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [in_place t f x y] is [f x y], and what that does and forks is known as being at the structure, for
    {!check}; outside of any pool only what it does itself. *)

val go_inside : 'p t -> Job.task Deque.t -> Job.spawn_context -> unit
(** [go_inside t deque here] is the beginning of {!in_place} in a fiber, whose worker's deque is [deque], and
    [here] what {!Job.here} says; at the end, {!Job.set_here} puts that back. A few nanoseconds; allocates
    only where the last one was somewhere else. *)

val as_batch : 'p t -> (unit -> 'a) -> 'a
(** [as_batch t f] is [f ()]; what it forks is at the structure too. It is not cancelled with its caller.
    Outside of any pool, it is run in the default one, and has ended when this returns or raises. *)

val alone : 'p t -> (unit -> 'a) -> 'a
(** Likewise, but cancelled with its caller. *)

(** {1 The line}

    For the owner. *)

val refill : 'p t -> unit
(** If all of [line] have been served, it is what the gate has. *)

val all_served : 'p t -> bool

val parties_that_end : 'p t -> int -> int -> Waiters.party list
(** [parties_that_end t lo hi] are those whose last member is at [lo] to [hi - 1] of [line]. *)

val caller_of : 'p word -> Waiters.t option
(** [None]: it is no caller's. *)

val next_of : 'p word -> 'p word
(** The one before it in the chain. *)

(** {1 Passing on} *)

val leave : 'p t -> unit
(** The ownership is passed on, by one who entered where nobody was. *)

val pass_on : 'p t -> unit
(** The ownership is passed on, also if this raises, which only a signal's handler can have it do, and what
    has ended a batch that it ran for another thread. *)
