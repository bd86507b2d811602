(** [Lock]: one at a time inside, and all that was handed over is done once. *)

val all : Scenario.t list
