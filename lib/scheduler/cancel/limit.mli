(** Limits on how many fibers run at the same time: what [Weft.Limit] is made of.

    An arena is bound in the context of what it limits, like a task-local value; so forks and tasks made
    inside inherit it. Whoever starts one of these in a fiber of its own {!enter}s its arenas first, or leaves
    it with the arena, which puts it back into the injector when there is room. A fiber that suspends
    {!leave}s, and enters again when it goes on: only those that run count. A fork that its joiner runs itself
    is part of the joiner's fiber.

    {b Nobody is forgotten.} To be refused and to be put in line are one step under the arena's lock. Who
    leaves calls as many as there is room for. The rule of every line of waiters ({!Wait_queue}) holds here,
    too: {e a call that meets somebody who has no use for it goes to the next in line}, before the caller is
    done.
    - A call answers whether it is used: [false], if a fork has been claimed by its joiner, or a wait has been
      given up. Then the next is called.
    - Who is called {e again} asks for room once more, in all arenas. If one refuses, each arena further in
      calls its next in line, since the call may have come from there.
    - A fork may be claimed by its joiner after the call and before it asks. The joiner was inside then, so it
      leaves later, and calls the next.

    {b Nobody is overtaken} who stands in line as an {e heir}: whoever leaves hands over the room itself. Only
    who will then run without another wait may be an heir. Who waits for several arenas might keep one while
    others keep what it waits for: such a one is called again. *)

type t

val make : int -> t
(** Room for so many. *)

val room : t -> int
(** That number. *)

val running : t -> int

val of_bindings : Bindings.t -> t list
(** The arenas bound, innermost first. Without any bindings, 1 ns. *)

val bind : t -> Bindings.t -> Bindings.t

val enter : t list -> again:(unit -> bool) -> bool
(** [enter arenas ~again], innermost first as {!of_bindings}, enters all, or is [false]: then it stands in
    line for one of them, and [again ()] will be called when it is worth another try, by any thread; [false]:
    nobody will try. [again] must neither raise nor wait. *)

type place

val enter_as_heir : t -> (unit -> bool) -> place option
(** [enter_as_heir a heir] enters [a] and is [None], or gets in line: then [heir ()] will be called by whoever
    makes room, which is the caller's from then on; or is to be the next one's, if [heir ()] is [false].
    [heir] must neither raise nor wait. *)

val give_up : t -> place -> unit
(** Leaves the line, if still there. *)

val leave : t list -> unit

val pass_on : t -> unit
(** Calls the next in line, if there is room: by whoever was called {e again} and will not ask. *)

val want : t -> Bindings.t -> Bindings.t
(** The bindings for a fiber that waits to be called {e again} by this arena while it is inside others. *)

val pass_on_wanted : Bindings.t -> unit
(** {!pass_on} for the arena that these bindings wait for, if any. To be called when a fiber that was called
    again must first wait for an outer arena. *)

val force : t list -> unit
(** Enters without asking. *)
