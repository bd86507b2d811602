(** The course of a loop, and searches: the smallest failure or answer wins, all other failures are told of,
    and what has been stopped does not start. *)

val all : Scenario.t list
