(** The rest of a range whose fiber was suspended: several fibers take blocks of it.

    The fiber that made it takes part when it goes on, and joins the {e helpers}: forks that were called one
    at a time, when one of those who take part was suspended. *)

type t

val make : here:unit Job.state -> finish:int -> left:int -> t
(** The last [left] indices up to [finish] (included). [here] is {!Weft_scheduler.Spawn_context.here} of the
    fiber that will join. *)

val take : t -> int -> int
(** [take r b] takes the next [b] indices, or as many as there are. Returns how many were left before: 0 if
    none. *)

val first : t -> left:int -> int
(** The first index of those that were taken when so many were left. *)

val stop : t -> unit
(** Nothing is left. *)

val most_helpers : int
(** At most so many take part: no more bodies wait at the same time, so that memory is bounded. *)

val call : t -> queue:(unit Job.t -> unit) -> (unit -> unit) -> unit
(** [call r ~queue help] makes a fork of [help], if there is anything left and no other one is queued, and
    queues it. *)

val join_all : t -> unit
(** By the fiber that made it, when nothing is left: waits for the helpers that have begun. If one has raised,
    cancels the others and raises. *)

val end_all : t -> exn -> 'a
(** By the same fiber, if it has failed itself: cancels all, and raises the exception that counts. *)
