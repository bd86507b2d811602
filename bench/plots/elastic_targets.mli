(** The targets of idle, crowded and throttled pools, and of events. *)

val all : Target.t list
