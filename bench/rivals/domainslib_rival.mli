(** domainslib, from version 0.5 on: a pool of domains with work-stealing deques, tasks as effects. *)

val rival : Rival.t
