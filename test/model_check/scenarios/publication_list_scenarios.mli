(** Callers at a structure's gate: each call is applied once, by one at a time, and nobody is left in line. *)

val all : Weft_shadow.Scenario.t list
