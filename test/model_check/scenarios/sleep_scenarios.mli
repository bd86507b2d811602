(** Sleeping: no job is left in a queue while a worker that could take it sleeps. *)

val all : Scenario.t list
