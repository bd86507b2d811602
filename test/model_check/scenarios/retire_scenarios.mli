(** Workers whose threads end and begin: no job is left while a worker is gone, a worker waits while a timer
    is pending, and a worker has at most one thread. *)

val all : Scenario.t list
