(** Limits on how many fibers run at the same time: the implementation of [Weft.Limit].

    A limit is bound in the context of the code that it limits, like a task-local value, so forks and tasks
    made inside inherit it. Whoever starts one of these in a fiber of its own first {!enter}s its limits; if
    there is no room, the job is left with the limit, which puts it back into the injector when there is. A
    fiber that suspends {!leave}s, and enters again when it goes on: only fibers that run count. A fork that
    its joiner runs itself is part of the joiner's fiber.

    {b Nobody is forgotten.} Being refused and being queued are one step under the limit's lock. A fiber that
    leaves calls as many queue entries as there is room for. The rule of {!Wait_queue} holds here, too:
    {e a call whose entry has no use for it goes to the next entry}, before the caller is done.
    - A call answers whether it is used: [false], if a fork has been claimed by its joiner, or a wait has been
      given up. Then the next is called.
    - An entry called {e again} asks for room once more, in all its limits. If one refuses, each limit further
      in calls its next entry: the room that it offered was not used.
    - A job may be claimed after the call and before a worker asks for it: by the joiner of a fork, or by who
      cancels a task. Nobody may ask then, so whoever has claimed it calls the next entry ([Run_job.claim]).

    {b Nobody is overtaken} who is queued as an {e heir}: whoever leaves hands over the room itself. Only a
    fiber that will then run without another wait may be an heir. A fiber that waits for several limits might
    hold room in one while others hold what it waits for: it is called again instead. *)

type t

val make : int -> t
(** Room for so many. *)

val room : t -> int
(** That number. *)

val running : t -> int
(** How many are inside. A fiber leaves before others can see that it has ended: before its job is settled, or
    its call returns. *)

val of_bindings : Bindings.t -> t list
(** The limits bound, innermost first. 1 ns without any bindings. *)

val bind : t -> Bindings.t -> Bindings.t

val enter : t list -> again:(unit -> bool) -> bool
(** [enter limits ~again], innermost first as {!of_bindings}, enters all of them. [false]: it is queued at one
    of them, and some thread will call [again ()] when it is worth another try; [again] answers [false] if
    nobody will try. It must neither raise nor wait. *)

type entry = Entered | Queued | Unwanted

val enter_if : t list -> wanted:(unit -> bool) -> again:(unit -> bool) -> entry
(** [enter_if limits ~wanted ~again] is [enter limits ~again], but asks [wanted ()], under the lock of the
    innermost, once there is room in all: if that is [false], it enters none. So {!running} never counts a
    worker that finds nothing to do there. [wanted] must neither raise nor wait. *)

type queued

val enter_as_heir : t -> (unit -> bool) -> queued option
(** [enter_as_heir l heir] enters [l], and returns [None]; or it is queued: whoever makes room will call
    [heir ()], and the room is the caller's from then on, or, if [heir ()] is [false], the next entry's.
    [heir] must neither raise nor wait. *)

val give_up : t -> queued -> unit
(** Leaves the queue, if it is still there. *)

val leave : t list -> unit

val pass_on : t -> unit
(** Calls the next entry, if there is room: by one that was called {e again} and will not ask, or that has
    claimed a job that may have been called. *)

val want : t -> Bindings.t -> Bindings.t
(** The bindings for a fiber that waits to be called {e again} by this limit while it is inside others. *)

val pass_on_wanted : Bindings.t -> unit
(** {!pass_on} for the limit that these bindings wait for, if any. Call it when a fiber that was called again
    must first wait for an outer limit. *)

val force : t list -> unit
(** Enters without asking. *)
