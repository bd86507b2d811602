(** Callers at a structure's publication list: each call is applied once, one at a time, and no caller is left
    waiting. *)

val all : Weft_shadow.Scenario.t list
