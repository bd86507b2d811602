(** The costs of tasks, loops, scopes, cancellation and pools. *)

val tables : Table.t list
