(** The rest of a loop that its owner pops and pushes again, and thieves. *)

val all : Scenario.t list
