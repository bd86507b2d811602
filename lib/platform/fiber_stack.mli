(** How a fiber begins and is suspended.

    No effect gets past the bottom of a fiber: below it is a worker, and below that the caller of the pool,
    whose handlers would find the effects of some fibers and not of others. *)

open Effect.Deep

type _ Effect.t +=
  | Suspend : (('a, unit) continuation -> unit) option -> 'a Effect.t
        (** Suspends the calling fiber and calls the function with it, on the stack of the worker that started
            or continued the fiber; somebody must continue it once, in the same pool. With [None] it is an
            effect like any other. *)

type 'a others = { perform : 'c. 'a -> 'c Effect.t -> ('c, unit) continuation -> unit }
(** [perform x e k] is called with an effect [e] that no handler in the fiber started with [x] has handled, on
    the stack of the worker that started or continued the fiber; somebody must continue [k] once, in the same
    pool. *)

val start : ('a -> 'b) -> 'a -> returned:('b -> unit) -> others:'a others -> unit
(** [start f x ~returned ~others] is [returned (f x)], with [f x] on a stack of its own, where [Suspend] can
    be performed; then [start] returns what the function returns. *)

val failed : exn -> unit
(** What the handler at the bottom of a fiber does with an exception of [f]: raises it. {!Refused_effects}
    tells that handler from those of the program by this function's address. *)
