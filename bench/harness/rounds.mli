(** The order of measuring.

    Every configuration runs once in each round, so that a drift of the machine (heat, neighbours) hits all
    alike; the order is shuffled anew in each round, so that none always runs after the same other. *)

val order : round:int -> 'a list -> 'a list
(** [order ~round configs] is a permutation of [configs] that depends on [round] and the length alone. *)
