(** The maps of {!Weft_batch}, each with its sequential twin.

    Keys are below 2{^ 30}, 2{^ 22} for van Emde Boas trees, 2{^ 24} for the tries; there are at most
    2,000,000 of them before the operations. *)

val avl : Map_benchmarks.structure

val others : Map_benchmarks.structure list
(** All but {!avl}. *)
