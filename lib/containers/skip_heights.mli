(** The number of levels that each key of a {!Skip_list} gets: one, and with probability 1/4 each one more.

    The numbers come from a generator of which any number can be computed from the state (Steele, Lea and
    Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). They do not depend on the keys, so no
    order of keys makes a list slow.

    {b Cost.} O(1). *)

val levels : int
(** The greatest height, 16: enough for 4{^ 16} keys. *)

val start : int -> int
(** The first state of the generator with this seed. *)

val height : int -> int -> int
(** [height state i] is number [i], from 0, of the numbers that come after [state]. *)

val advance : int -> int -> int
(** [advance state n] is the state after [n] numbers. *)
