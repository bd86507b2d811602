(** What is left of a range when the fiber that runs it is suspended: several fibers take blocks of it.

    The fiber that made it takes part when it goes on, and joins the {e helpers}: forks that were called one
    at a time, when one of those who take part was suspended. *)

type t

val make : here:unit Job.state -> finish:int -> left:int -> t
(** The last [left] indices up to [finish] (included). [here] is {!Weft_scheduler.Spawn_context.here} of the
    fiber that will join. *)

val take : t -> int -> int
(** [take r b] takes the next [b] indices, or what there is. The result is how many were left before: 0 if
    none. *)

val first : t -> left:int -> int
(** The first index of those that were taken when so many were left. *)

val stop : t -> unit
(** Nothing is left. *)

val most_helpers : int
(** So many are present at most: more bodies do not wait at once, so that memory is bounded. *)

val call : t -> queue:(unit Job.t -> unit) -> (unit -> unit) -> unit
(** [call r ~queue help] makes a fork of [help], if there is anything left and no other one is queued, and
    queues it. *)

val join_all : t -> unit
(** By the fiber that made it, when it finds nothing left: waits for the helpers that have begun. If one has
    raised, stops the others and raises. *)

val end_all : t -> exn -> 'a
(** By the same, if it has failed itself: stops all, and raises what counts. *)
