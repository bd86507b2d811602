(** Fibers that are cancelled together: the tasks of a scope, the items of a pipeline.

    A group has a context of the fiber that makes it. Others enter it: their code runs in contexts that are
    linked to that one, so it is cancelled when the group's context, or an ancestor of it, is stopped. Those
    inside are listed, to be notified then. Entering lists first and then looks; stopping stops first and then
    notifies those listed: nobody is missed. *)

type t

val make : unit -> t
(** A group whose context is a child of the calling fiber's. *)

val body : t -> (unit -> 'a) -> 'a
(** [body g f] is [f ()] in the group's context. By its maker. *)

val enter : ?task:Cancellable.t -> t -> (unit -> 'a) -> 'a
(** [enter g f] is [f ()] inside the group, by any fiber; with [task], in a context that [task] may stop. If
    it is stopped already, [f] is not called, and what it was stopped with is raised. About 100 ns. *)

val stop : t -> exn -> unit
(** Stops all inside, and all who come. From any thread. *)

val is_stopped_with : t -> exn -> bool
(** Whether those inside may have been cancelled with this exception: the group's context was stopped with it,
    or an ancestor. *)
