(** What the sequential structures cost. *)

val tables : Table.t list

val parts : (string * string list) list
(** Interfaces of which structures are made: a reason, and the files. *)
