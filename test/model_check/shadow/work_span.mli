(** Replaces [Weft_scheduler.Work_span]: nothing is profiled. *)

type mark

val fork : unit -> Span_session.t * mark
val right : Span_session.t -> (unit -> 'a) -> unit -> 'a
val join : Span_session.t -> mark -> unit
val task : 'a -> (unit -> 'b) -> unit -> 'b
val settled : created:bool -> unit -> 'a
val is_created : (unit -> 'a) -> bool
val meet : (unit -> 'a) -> unit
val pause : unit -> Span_session.t
val continue : Span_session.t -> unit
val aside : (unit -> 'a) -> 'a
