(** What tasks, loops, scopes, cancellation and pools cost. *)

val tables : Table.t list
