(** The planted faults of sleeping, retiring and the room. *)

val all : Edit.mutant list
