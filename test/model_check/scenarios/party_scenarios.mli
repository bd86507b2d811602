(** A structure's gate where those of one party are taken out of the line, and the others go back. *)

val all : Scenario.t list
