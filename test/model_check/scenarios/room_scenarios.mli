(** Less room than workers: no more are active, no job is left while there is room, and while there is none,
    somebody waits as a spare. *)

val all : Scenario.t list
