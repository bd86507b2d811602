(** The costs of the sequential structures. *)

val tables : Table.t list

val parts : (string * string list) list
(** Interfaces from which structures are made: a reason, and the files. *)
