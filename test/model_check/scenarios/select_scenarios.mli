(** Choices ({!Choice}): one case is done, and the others as if they had never been there. *)

val all : Scenario.t list
