(** What pools are to cost that idle, are crowded or throttled, and what events are to cost. *)

val all : Target.t list
