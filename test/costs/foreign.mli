(** What the functions of domainslib cost. *)

val tables : Table.t list
