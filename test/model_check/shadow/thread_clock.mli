(** [Thread_clock]: nobody's time is measured here. *)

type t

val none : t
val close : t -> unit
