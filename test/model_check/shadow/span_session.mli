(** Replaces [Weft_scheduler.Span_session]: nothing is profiled. *)

type t = unit

val none : t
val profiling : bool ref
val is_profiled : 'a -> bool
