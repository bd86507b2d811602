(** The owner of a structure, and how the ownership is passed on.

    The {e owner} applies an operation in place, or is the combiner and serves the calls in the list
    ({!Await_turn}): it takes all of them off the publication list, applies as many as make a batch, passes
    the ownership on, and then resumes the callers ({!serve}). To whom it passes the ownership depends on what
    waits:
    - nobody waits: it leaves the structure;
    - calls wait: it queues a task that serves them, and so does {!submit} at a free structure;
    - the next call wants a turn of its own: that caller gets the ownership.

    An owner outside of any pool passes it to the pool of a fiber that waits. If none does, it looks at the
    first in the list: a thread gets the ownership, and serves those behind it as well; a submitted operation
    is served by the default pool.

    Ownership is always passed on: an exception of an operation goes into the operation's cell. *)

open Weft_scheduler

exception Reentrant of string

type 'p word = ('p, Waiters.t) Publication_list.word

type 'p t = {
  published : ('p, Waiters.t) Publication_list.t;
  mutable thread : Waiters.identity;
      (** the thread that applies an operation in place outside of any pool; or nobody *)
  mutable around : Job.spawn_context;  (** the context of the last fiber that applied one in place *)
  mutable inside : Job.spawn_context;  (** one step further in: the context in which it did that *)
  mutable within : Fiber.context;  (** the context in which a batch runs *)
  mutable taken : 'p word array;  (** calls taken off the publication list, in the order in which they came *)
  mutable first : int;  (** the first of [taken] that is still to be served *)
  mutable serves : bool;  (** whether calls of [taken] are being served *)
  limit : int;  (** of a batch *)
  rank : 'p -> int;  (** operations of greater rank are applied after the others of their batch *)
  apply_all : 'p t -> 'p array -> unit;
      (** applies a batch, by the owner; it raises only an exception that no operation got *)
  counts : Counts.t;
  exec_of_it : string;  (** the name of the wait of callers, for reports *)
  of_it : string;  (** appended to the names of other waits *)
}
(** The mutable fields belong to the owner; others may look at [serves]. ['p] is a packed operation. *)

val make : int -> limit:int -> rank:('p -> int) -> ('p t -> 'p array -> unit) -> 'p t
(** [make number ~limit ~rank apply_all]: nobody is inside. The number is the structure's, as in {!Span}. *)

val is_outside : unit -> bool
(** The calling thread is no worker. *)

(** {1 Inside the structure} *)

val check : 'p t -> string -> unit
(** @raise Reentrant in the name given, if called from inside an operation or a batch. *)

val in_place : 'p t -> ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [in_place t f x y] is [f x y]; it and its forks are known to be inside the structure, for {!check};
    outside of any pool only [f x y] itself. *)

val here : Job.task Deque.t -> Spawn_context.t
(** For the functions that follow, of the caller's deque, {!Weft_platform.Deque_memory.current}: its context,
    or {!Spawn_context.nobody} outside of any pool. *)

val go_inside : 'p t -> Job.task Deque.t -> Spawn_context.t -> unit
(** [go_inside t deque here] begins {!in_place}. A few nanoseconds; allocates only if the last owner was
    somewhere else. Even if it raises, call {!go_outside}. *)

val go_outside : 'p t -> Spawn_context.t -> unit
(** Ends it. *)

val as_batch : 'p t -> (unit -> 'a) -> 'a
(** [as_batch t f] is [f ()]; its forks are inside the structure, too. It is not cancelled with its caller.
    Outside of any pool, it is run in the default one, and has ended when this returns or raises. *)

val alone : 'p t -> (unit -> 'a) -> 'a
(** The same, but it is cancelled with its caller. *)

(** {1 The calls that wait} *)

val caller_of : 'p word -> Waiters.t option
(** [None]: it is no caller's. *)

val serve : 'p t -> unit
(** By the owner: applies a batch of the first calls, or gives the first its turn; the ownership is passed on.
    When all that is done, raises what [apply_all] raised. A batch ends before an operation of smaller rank
    than one that was submitted before it, which may be of the same caller. *)

val submit : 'p t -> string -> 'p word array -> unit
(** [submit t who calls] puts these calls, of [Submitted] and [Not_last], at the end of the list, in this
    order. If the structure is free, a task is forked that serves them. Never waits. From any thread.
    @raise Reentrant in the name [who]. *)

val end_party : 'p t -> Waiters.party -> exn -> unit
(** Ends the waits of the party's members that are still in the list, with the exception. From any thread. *)

(** {1 Passing on} *)

val leave : 'p t -> unit
(** By an owner that entered a free structure. *)

val pass_on : 'p t -> unit
(** By any other owner. The ownership is passed on even if this raises: an exception that ended a batch which
    it ran for another thread. *)
