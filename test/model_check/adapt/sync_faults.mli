(** The planted faults of channels, locks and what they wait with. *)

val all : Edit.mutant list
