(** The planted faults of channels, locks and their waiters. *)

val all : Edit.mutant list
