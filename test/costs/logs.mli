(** The costs of the logs. *)

val tables : Table.t list
