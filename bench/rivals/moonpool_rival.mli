(** Moonpool, from version 0.10 on: pools of threads that live on a fixed set of domains, one for each
    processor; so a pool of more threads shares the domains. Both its work-stealing pool and its pool with one
    queue take part. *)

val rivals : Rival.t list
