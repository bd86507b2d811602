(** The deque: each element is taken once, by the owner or by one thief, or is left. *)

val all : Scenario.t list
