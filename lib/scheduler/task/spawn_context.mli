(** The context of the running code, in the form of the state of the forks that it makes.

    It lies with the worker's deque ({!Weft_platform.Deque_memory.context}). *)

type t = Job.spawn_context

val here : Job.task Deque.t -> 'a Job.state
(** The context of the fiber that runs on the worker of this deque, which is the caller's and not
    {!Weft_platform.Deque_memory.nowhere}: a [Fork _]. *)

val set_here : Job.task Deque.t -> t -> unit

val within : Fiber.context -> 'a Job.state
(** A new [Fork] of this context. *)

val shielded : t -> t
(** [shielded here] is the fork state of a shield, a child of the context of [here], with the same bindings.
    Leave it before asking for it again, since [here] keeps it. *)

val forget_shield : t -> unit
(** Makes the next shield a new one: for when the last one may not have been left in order. *)

val nobody : t
(** That of {!Fiber.none}. *)

val context : t -> Fiber.context
