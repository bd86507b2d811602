(** Fibers and the contexts they run in: how cancellation finds its way.

    {b Contexts.} What runs, runs in a context: an immutable link in a chain that says what is bound there
    (task-local values) and, mutable, whether it has been stopped. A fiber begins with a context of its own;
    [Cancel.within], [with_timeout], a scope, a binding put another in front while they last. A fork remembers
    the context that it was made in, at the price of one load ({!Spawn_context.here}): the fiber of a stolen
    fork puts its own context in front of that.

    {b What counts.} A fiber is cancelled if, from its current context outwards, there is one that is
    [Stopped], up to the next {e wall}: [Cancel.shield], and the end of a task that runs in place of its
    awaiter's, are walls. [Failing] counts the forks made in that very context whose stolen right side has
    failed and which are not joined yet: whatever the fiber does until then is inside the left side of the
    innermost of them, and no longer wanted. It counts for that fiber alone; the joins take it back.

    {b How it is noticed.} Whoever stops a context {!stop}s it and notifies its fiber. Of the fiber, either
    - it runs: its state becomes [Cancel_requested] and its worker's deque is called
      ({!Weft_scheduler.Deque.request_preempt}), so that its next fork looks at the context; loops look
      between blocks;
    - or it waits: it has published how its wait is ended ([Suspended]), and if its context is cancelled,
      whoever notifies it ends the wait. A fiber that joins a stolen fork cannot leave; instead, the context
      of the fork's fiber is stopped, and so on down.

    So cancellation runs along what fibers do now. Forks that were stolen from the left side of something are
    stopped when their fiber unwinds to their join, or when it waits for them.

    {b Nobody is missed.} All changes of a fiber's state are compare-and-sets. A stop changes the context
    first and notifies then; a fiber publishes its wait first and looks at its context then, if it was marked;
    who moves to another worker notes its deque before it is [Running] again. So of a stop and a wait that
    meet, one sees the other. A mark stays as long as anything is stopped in the contexts that the fiber will
    return to, even behind a wall. *)

exception Cancelled of string
(** See [Weft.Cancel.Cancelled]. *)

exception Timeout
(** See [Weft.Cancel.Timeout]. *)

type status =
  | Fine
  | Failing of int  (** how many forks made here have failed and are not joined *)
  | Stopped of exn  (** what is to be raised *)

type context = {
  mutable status : status;  (** used as an atomic *)
  fiber : t;  (** that runs in it *)
  outer : context;
      (** what the fiber returns to; of a fiber's first, the context of the fork that it runs, or {!none} *)
  mutable way : way;  (** only from [Place] to [Place_in]: by whoever looks *)
  bindings : Bindings.t;
}

(** Where to look next for what counts. *)
and way =
  | Free
      (** at [outer]; but neither this nor, up to the next wall, anything further out is made to be stopped *)
  | Stoppable  (** at [outer] *)
  | Shield  (** nowhere: what is further out does not count *)
  | Place
      (** likewise, for a task that runs in its awaiter's place; but if a signal's handler has cancelled the
          computation whose fiber this is, that counts *)
  | Place_in of context  (** the same, and this is the computation's; or {!none}, if a wall is on the way *)
  | Linked of context  (** there, instead of at [outer]: what is run for others by whoever awaits it *)

and t = {
  mutable state : state;  (** used as an atomic *)
  mutable deque : unit Deque.t;  (** of its worker *)
}

and state = Running | Cancel_requested | Suspended of wait | Suspended_cancelled of wait

and wait = {
  context : context;
  cancel : exn -> unit;  (** ends the wait, or passes the exception on; from any thread, any number of times *)
}

val none : context
(** The context where there is no fiber; nothing stops it. *)

val make : 'a Deque.t -> t
(** A fiber that runs on the worker of this deque. *)

val base : t -> outer:context -> bindings:Bindings.t -> context
(** What a fiber begins with. *)

val inside : context -> context
(** [inside c] is a new context of the same fiber in front of [c], to be stopped. *)

val binding : context -> Bindings.t -> context
(** Likewise, with these bindings; not to be stopped. *)

val wall : context -> bindings:Bindings.t -> context
(** Likewise, and a wall. *)

val in_place : context -> bindings:Bindings.t -> context
(** Likewise, for a task that runs in its awaiter's place. *)

val bridge : context -> beneath:context -> context
(** [bridge c ~beneath] is a new context in front of [beneath], of the same fiber, that is cancelled with [c],
    of any fiber, instead. *)

val is_stoppable : context -> bool
(** Whether the way to the next wall leads over a context that is made to be stopped. A task that is run in
    place would hold up whoever runs it, behind its wall: so only others run tasks in place. *)

(** {1 Stopping} *)

val sibling_failed : exn
(** What is raised in parts of a fork-join call that are no longer wanted. Compare physically. *)

val stop : context -> exn -> unit
(** [stop c e] stops [c] with [e] and notifies its fiber; nothing if it was stopped already. From any thread.
*)

val fork_failed : context -> unit
(** The stolen right side of a fork made in this context has failed: before the fork is settled. *)

val fork_joined : context -> unit
(** And has been joined. *)

val notify_cancel : t -> unit
(** Has the fiber look at its context, or looks for it. From any thread. *)

(** {1 Noticing} *)

val cancellation : context -> status
(** [Stopped e], if the fiber of the context is cancelled. *)

val is_stopped_with : context -> exn -> bool
(** Whether this very exception has stopped something on the way that {!cancellation} looks along: several may
    have, one after the other, and code ends by the one it has seen. Compared physically. *)

val look : context -> unit
(** By the fiber, whose current context this is: if it is cancelled, raises that, and stays marked. Else it is
    no longer marked, unless something is stopped behind a wall. *)

val return_to : context -> unit
(** By the fiber, when this becomes its current context again after one that may have been stopped, or is a
    wall: if it is marked, its next fork looks again. *)

(** {1 Waiting} *)

val begin_wait : wait -> exn option
(** By the fiber or for it, before it can be resumed; [Some e]: it is cancelled, and does not wait. *)

val resume_on : context -> 'a Deque.t -> unit
(** By the fiber, when it goes on, perhaps on another worker. *)
