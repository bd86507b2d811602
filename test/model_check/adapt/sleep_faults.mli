(** The planted faults of sleeping, retiring and room. *)

val all : Edit.mutant list
