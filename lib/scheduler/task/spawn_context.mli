(** What code runs in, as the state of the forks that it makes.

    The context of the running fiber lies, as the state of the forks it makes, with its worker's deque
    ({!Weft_platform.Deque_memory.context}). *)

type t = Job.spawn_context

val here : Job.task Deque.t -> 'a Job.state
(** The context of the fiber that runs on the worker of this deque, which is the caller's and not
    {!Weft_platform.Deque_memory.nowhere}: a [Fork _]. *)

val set_here : Job.task Deque.t -> t -> unit

val within : Fiber.context -> 'a Job.state
(** A new [Fork] of this context. *)

val walled : t -> t
(** [walled here] is that of a wall in front of the context of [here], with the same bindings: to be left
    before it is asked for again, since [here] keeps it. *)

val tear_down : t -> unit
(** The next wall is a new one: should there be any doubt whether the last one was left in order. *)

val nobody : t
(** That of {!Fiber.none}. *)

val context : t -> Fiber.context
