(** Limits on how many fibers run at the same time: what [Weft.Limit] is made of.

    An arena is bound in the context of what it limits, like a task-local value; so forks and tasks made
    inside inherit it. Whoever starts one of these in a fiber of its own {!enter}s its arenas first, or leaves
    it with the arena, which puts it back into the injector when there is room. A fiber that suspends
    {!leave}s, and enters again when it goes on: only those that run count. A fork that its joiner runs itself
    is part of the joiner's fiber.

    {b Nobody is forgotten.} To be refused and to be put in line are one step under the arena's lock. Who
    leaves puts back as many as there is room for. One of these may turn out to have been run by its joiner
    meanwhile; but that joiner is inside, and will leave.

    {b Nobody is overtaken} who stands in line as an {e heir}: whoever leaves hands over the room itself. Only
    who will then run without another wait may be an heir. Who waits for several arenas might keep one while
    others keep what it waits for. *)

type t

val make : int -> t
(** Room for so many. *)

val room : t -> int
(** That number. *)

val running : t -> int

val of_bindings : Bindings.t -> t list
(** The arenas bound, innermost first. Without any bindings, 1 ns. *)

val bind : t -> Bindings.t -> Bindings.t

val enter : t list -> again:(unit -> unit) -> bool
(** [enter arenas ~again] enters all, or is [false]: then [again ()] will be called, once, when it is worth
    another try, by any thread. It must neither raise nor wait. *)

type place

val enter_as_heir : t -> (unit -> bool) -> place option
(** [enter_as_heir a heir] enters [a] and is [None], or gets in line: then [heir ()] will be called by whoever
    makes room, which is the caller's from then on; or is to be the next one's, if [heir ()] is [false].
    [heir] must neither raise nor wait, and may be called again by {!Weft_support.Interrupt.complete}. *)

val give_up : t -> place -> unit
(** Leaves the line, if still there. *)

val leave : t list -> unit

val force : t list -> unit
(** Enters without asking. *)
