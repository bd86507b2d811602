(** The order of measuring.

    Every configuration runs once in each round, so that a drift of the machine (heat, neighbours) hits all
    alike. Those that are compared with each other run in a row, within minutes also where a round takes
    hours. Both orders are shuffled anew in each round, so that none always runs after the same other. *)

val order : round:int -> together:('a -> string) -> 'a list -> 'a list
(** [order ~round ~together configs] is a permutation of [configs] in which those with equal [together] are in
    a row. It depends on nothing but its arguments. *)
