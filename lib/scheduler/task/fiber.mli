(** Fibers and the contexts they run in, and how cancellation reaches them.

    {b Contexts.} All code runs in a context: an immutable link in a chain that holds bindings (task-local
    values) and, mutable, whether it has been stopped. A fiber begins with a context of its own;
    [Cancel.within], [with_timeout], a scope or a binding makes a child of the current one while it lasts. A
    fork remembers the context that it was made in, at the price of one load ({!Spawn_context.here}): the
    first context of a stolen fork's fiber is a child of that.

    {b What counts.} A fiber is cancelled if its current context is [Stopped], or an ancestor of it, up to the
    next {e shield}. Shields are the contexts of [Cancel.shield], and of tasks that run in their awaiters'
    place. [Failing n]: n forks of this context have a failed right side and are not joined yet. The fiber is
    still in the left side of one of them, and its result is not needed. It counts for that fiber alone; the
    joins take it back.

    {b How it is noticed.} To cancel, {!stop} a context: that notifies its fiber.
    - If the fiber runs, its state becomes [Cancel_requested] and its worker is preempted
      ({!Weft_scheduler.Deque.request_preempt}), so that its next fork looks at the context; loops look
      between blocks.
    - If it waits, it has published how its wait is ended ([Suspended]); if its context is cancelled, the
      notifier ends the wait. A fiber that joins a stolen fork cannot leave; instead, the context of the
      fork's fiber is stopped, and so on down.

    So cancellation runs along what fibers do now. Forks that were stolen from the left side of something are
    stopped when their fiber unwinds to their join, or when it waits for them.

    {b Nobody is missed.} All changes of a fiber's state are compare-and-sets. A stop changes the context and
    then notifies. A fiber publishes its wait and then, if it was marked, looks at its context; a fiber that
    moves to another worker notes its deque before it is [Running] again. So of a stop and a wait that meet,
    one sees the other. A mark stays as long as anything is stopped in the contexts that the fiber will return
    to, even behind a shield. *)

exception Cancelled of string
(** See [Weft.Cancel.Cancelled]. *)

exception Timeout
(** See [Weft.Cancel.Timeout]. *)

include module type of struct
  include Types.Fiber
end

val none : context
(** The context where there is no fiber; nothing stops it. *)

val make : 'a Deque.t -> t
(** A fiber that runs on the worker of this deque. *)

val base : t -> outer:context -> bindings:Bindings.t -> context
(** What a fiber begins with. *)

val inside : context -> context
(** [inside c] is a new child of [c], of the same fiber, to be stopped. *)

val binding : context -> Bindings.t -> context
(** The same, with these bindings; it cannot be stopped. *)

val shield : context -> bindings:Bindings.t -> context
(** The same, and it is a shield. *)

val in_place : context -> bindings:Bindings.t -> context
(** The same, for a task that runs in its awaiter's place. *)

val bridge : context -> parent:context -> context
(** [bridge c ~parent] is a new child of [parent], of the same fiber. It is cancelled with [c], of any fiber,
    and not with [parent]. *)

val is_stoppable : context -> bool
(** Whether the context or an ancestor, up to the next shield, can be stopped. Such a fiber runs no tasks in
    place: behind their shield, they would keep it from noticing. *)

(** {1 Stopping} *)

val sibling_failed : exn
(** Raised in parts of a fork-join call that are no longer wanted. Compare physically. *)

val stop : context -> exn -> unit
(** [stop c e] stops [c] with [e] and notifies its fiber; nothing if it was stopped already. From any thread.
*)

val fork_failed : context -> unit
(** The stolen right side of a fork made in this context has failed. Called before the fork is settled. *)

val fork_joined : context -> unit
(** That fork has been joined. *)

val notify_cancel : t -> unit
(** Makes the fiber look at its context, or ends its wait. From any thread. *)

(** {1 Noticing} *)

val cancellation : context -> status
(** [Stopped e], if the fiber of the context is cancelled. *)

val is_suspended : t -> bool

val is_stopped_with : context -> exn -> bool
(** Whether this very exception (compared physically) has stopped something that {!cancellation} looks at, or
    is {!sibling_failed}, and the fiber is in the left side of a fork whose right side has failed. Several
    exceptions may have, one after the other, and code ends by the one that it has seen. *)

val look : context -> unit
(** By the fiber, on its current context. If it is cancelled, raises that, and the fiber stays marked. Else
    the mark is removed, unless something is stopped behind a shield. *)

val return_to : context -> unit
(** By the fiber, when it returns to this context from one that may have been stopped, or is a shield: if it
    is marked, its next fork looks again. *)

(** {1 Waiting} *)

val begin_wait : wait -> exn option
(** By the fiber or for it, before it can be resumed. [Some e]: it is cancelled with [e], and does not wait.
*)

val resume_on : context -> 'a Deque.t -> unit
(** By the fiber, when it goes on, perhaps on another worker. *)
