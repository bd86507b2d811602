(** The order of measuring.

    Every configuration runs once in each round, so that a drift of the machine (heat, neighbours) affects all
    alike. Configurations that are compared with each other run in a row, so within minutes, even if a round
    takes hours. The order of these groups and the order within each are shuffled anew in each round, so that
    no configuration always runs after the same other one. *)

val order : round:int -> together:('a -> string) -> 'a list -> 'a list
(** [order ~round ~together configs] is a permutation of [configs] in which those with equal [together] are in
    a row. It depends only on its arguments. *)
