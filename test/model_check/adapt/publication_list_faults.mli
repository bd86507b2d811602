(** Faults planted in the gate of batched structures. *)

val all : Edit.mutant list
