(** Who is at a structure: the owner, and how the ownership goes on.

    The {e owner} applies an operation in place, or serves those who have lined up ({!Lining_up}): it takes
    all of them off the gate, as many as make a batch are applied, the ownership is passed on, and then the
    callers are told ({!serve}). Passing on means: the gate is left; or, if there is somebody to be served, a
    task is forked that does so; or, if the next one wanted a turn of its own, the ownership is that caller's.
    The owner outside of any pool passes it on to the pool of a fiber that waits, or else to the thread that
    has waited longest, which then serves those behind it as well.

    Ownership is always passed on: whatever an operation raises goes into its cell. *)

open Weft_scheduler

exception Reentrant of string

type 'p word = ('p, Waiters.t) Publication_list.word

type 'p t = {
  gate : ('p, Waiters.t) Publication_list.t;
  mutable thread : Waiters.identity;  (** that applies an operation in place outside of any pool; or nobody *)
  mutable around : Job.spawn_context;  (** where the last fiber was that applied one in place *)
  mutable inside : Job.spawn_context;  (** a step further in: where it did that *)
  mutable within : Fiber.context;  (** that a batch runs in *)
  mutable line : 'p word array;  (** those taken off the gate, in the order in which they came *)
  mutable first : int;  (** the first of [line] that is still to be served *)
  mutable serves : bool;  (** those in [line]: a round is under way *)
  limit : int;  (** of a batch *)
  apply_all : 'p t -> 'p array -> unit;
      (** applies a batch, by the owner; it raises only what none of the operations has got *)
  counts : Counts.t;
  exec_of_it : string;  (** what those wait in who call it *)
  of_it : string;  (** what is appended to the names of other waits *)
}
(** What is mutable belongs to the owner; others may look at [serves]. ['p] is a packed operation. *)

val make : int -> limit:int -> ('p t -> 'p array -> unit) -> 'p t
(** [make number ~limit apply_all]: nobody is there. The number is the structure's, as in {!Span}. *)

val is_outside : unit -> bool
(** The calling thread is no worker. *)

(** {1 At the structure} *)

val check : 'p t -> string -> unit
(** @raise Reentrant in the name given, if called from inside an operation or a batch. *)

val in_place : 'p t -> ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [in_place t f x y] is [f x y], and what that does and forks is known as being at the structure, for
    {!check}; outside of any pool only what it does itself. *)

val here : Job.task Deque.t -> Spawn_context.t
(** For what follows, of the caller's deque, {!Weft_platform.Deque_memory.current}: its context, or
    {!Spawn_context.nobody} outside of any pool. *)

val go_inside : 'p t -> Job.task Deque.t -> Spawn_context.t -> unit
(** [go_inside t deque here] is the beginning of {!in_place}. A few nanoseconds; allocates only where the last
    owner was somewhere else. If it raises, {!go_outside} is due all the same. *)

val go_outside : 'p t -> Spawn_context.t -> unit
(** And this the end. *)

val as_batch : 'p t -> (unit -> 'a) -> 'a
(** [as_batch t f] is [f ()]; what it forks is at the structure too. It is not cancelled with its caller.
    Outside of any pool, it is run in the default one, and has ended when this returns or raises. *)

val alone : 'p t -> (unit -> 'a) -> 'a
(** Likewise, but cancelled with its caller. *)

(** {1 The line} *)

val caller_of : 'p word -> Waiters.t option
(** [None]: it is no caller's. *)

val serve : 'p t -> unit
(** By the owner: a batch of those who are first in line, or a turn for the first; and the ownership is passed
    on. Raises what [apply_all] raises, when all that is done. *)

val end_party : 'p t -> Waiters.party -> exn -> unit
(** Ends the waits of those of the party that are in line with the exception. From any thread. *)

(** {1 Passing on} *)

val leave : 'p t -> unit
(** The ownership is passed on, by one who entered where nobody was. *)

val pass_on : 'p t -> unit
(** The ownership is passed on, also if this raises what has ended a batch that it ran for another thread. *)
