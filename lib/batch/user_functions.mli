(** Functions of users (comparisons, functions of updates, structures of their own) inside a structure: no
    effect leaves them.

    Who applies an operation may be chance: its caller, another caller, a task. So would be whose handlers an
    effect finds. Therefore an effect that the function does not handle itself is refused
    ({!Weft_platform.Refusal}), always: by a handler, if the program has any around the owner, else by what
    lies below all fibers, which is told by {!bindings}. To look for handlers costs a lone call one call of C,
    and no allocation. *)

open Weft_scheduler

val why : string
(** The reason that the refusal gives. *)

val bindings : Fiber.context -> Bindings.t
(** Those of a context further in than this one, in which functions of users are called. *)

val call : ('a -> 'b -> 'c) -> 'a -> 'b -> 'c
(** [call f x y] is [f x y], in a context with {!bindings}. One call of C more; on a stack of its own, if
    there are handlers of the program around. *)

val explained : Spawn_context.t -> exn -> exn
(** The exception that [f] raised, called from there ({!Combiner.here}), with the reason if it is a refusal of
    OCaml's own, outside of all pools. *)
