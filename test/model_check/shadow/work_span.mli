(** In the place of [Weft_scheduler.Work_span]: nothing is profiled. *)

type t
type mark

val none : t
val profiling : bool ref
val is_profiled : 'a -> bool
val fork : unit -> t * mark
val right : t -> (unit -> 'a) -> unit -> 'a
val join : t -> mark -> unit
val task : 'a -> (unit -> 'b) -> unit -> 'b
val settled : created:bool -> unit -> 'a
val is_created : (unit -> 'a) -> bool
val meet : (unit -> 'a) -> unit
val pause : unit -> t
val continue : t -> unit
val aside : (unit -> 'a) -> 'a
