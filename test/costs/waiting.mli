(** What locks, channels, cells and other things to wait for cost. *)

val tables : Table.t list
