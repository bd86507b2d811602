(** Faults planted in the publication list of batched structures. *)

val all : Edit.mutant list
