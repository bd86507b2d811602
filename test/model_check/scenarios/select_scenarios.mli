(** Selects ({!Select_cases}): one case is done, and the others leave no trace. *)

val all : Scenario.t list
