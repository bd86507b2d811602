(** [Lock]: at most one process is inside, and every function that was handed over runs once. *)

val all : Scenario.t list
