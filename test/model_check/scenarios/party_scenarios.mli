(** A structure's publication list, from which the calls of one party are taken out while the others are put
    back. *)

val all : Scenario.t list
