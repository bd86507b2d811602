(** A rival without parallelism: the simplest implementation of the signature. [async] computes a promise at
    once. *)

module Sequential_rival : Rival.S
