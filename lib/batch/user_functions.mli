(** Functions of users (comparisons, functions of updates, structures of their own) inside a structure: no
    effect leaves them.

    Who applies an operation may be chance: its caller, another caller, a task. So would be whose handlers an
    effect finds. Therefore an effect that the function does not handle itself is refused
    ({!Weft_platform.Refusal}), always. If there are handlers of the program around the owner, {!call} puts
    one in front of them that refuses all effects. If there are none, the effect reaches the bottom of the
    fiber, and the scheduler refuses it because of {!bindings}; outside of all fibers OCaml does, and
    {!explained} adds the reason. To look for handlers costs a lone call one call of C, and no allocation. *)

open Weft_scheduler

val why : string
(** The reason that the refusal gives. *)

val bindings : Fiber.context -> Bindings.t
(** Those of a context further in than this one, in which functions of users are called. *)

val call : ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [call f x y] is [f x y], in a context with {!bindings}. One call of C more; on a stack of its own, if
    there are handlers of the program around. *)

val explained : exn -> exn
(** The exception that a function of a user raised: with {!why} if it is a refusal of OCaml's own, which has
    no reason. *)
