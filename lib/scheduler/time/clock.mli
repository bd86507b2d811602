(** Time for fibers: the timers of the pool that the caller works in. *)

type timer

val now : unit -> float
(** See [Weft.now]. *)

val at : ?holds:bool -> int -> (unit -> unit) -> timer
(** [at moment f] has [f ()] called at [moment], in nanoseconds ({!Timers}), by a worker of the calling
    fiber's pool. [f] must neither raise nor wait. [holds]: see {!Timers.add}. *)

val forget : timer -> unit
(** Cancels it, if it is still to come. By anybody. *)

val after : who:string -> float -> int
(** The moment in so many seconds.
    @raise Invalid_argument in the name of [who] if it is nan. *)

val moment : who:string -> float -> int
(** The moment at which {!now} is this. *)
