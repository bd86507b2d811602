(** The costs of domainslib's functions. *)

val tables : Table.t list
