(** Promises and tasks: one process settles them, and each waiter goes on once, with the outcome. *)

val all : Scenario.t list
