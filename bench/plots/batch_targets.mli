(** What batched structures are to reach. *)

val all : Target.t list
