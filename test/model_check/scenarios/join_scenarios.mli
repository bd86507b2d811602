(** [par]: whatever the thieves do, each side runs once and the fiber goes on once, with both results. *)

val all : Scenario.t list
