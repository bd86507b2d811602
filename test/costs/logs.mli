(** What the logs cost. *)

val tables : Table.t list
