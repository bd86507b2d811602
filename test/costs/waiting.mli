(** The costs of locks, channels, cells and other things that fibers wait for. *)

val tables : Table.t list
