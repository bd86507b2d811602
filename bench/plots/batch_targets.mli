(** The targets of batched structures. *)

val all : Target.t list
