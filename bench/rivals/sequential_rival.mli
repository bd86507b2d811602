(** No parallelism at all, seen as a rival: what the signature means, with the least means. A promise is
    computed where it is made. *)

module Sequential_rival : Rival.S
