(** The end of a loop, and searches: the smallest failure or answer wins, all other failures are reported, and
    no block that has been stopped starts. *)

val all : Scenario.t list
