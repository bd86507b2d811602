(** The room is smaller than the number of workers: no more are active than it allows, no job is left while
    there is room, and while there is none, one worker waits as a spare. *)

val all : Scenario.t list
