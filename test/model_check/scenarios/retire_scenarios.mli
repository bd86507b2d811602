(** Workers whose threads end and begin: no job is left while a worker is gone, somebody waits while a timer
    is pending, and a worker has one thread at most. *)

val all : Scenario.t list
