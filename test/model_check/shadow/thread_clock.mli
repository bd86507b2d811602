(** [Thread_clock]: no thread's time is measured here. *)

type t

val none : t
val close : t -> unit
