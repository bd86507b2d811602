(** Open addressing for keys of several integers: what {!Rows} and {!Index} have in common.

    A table has a power of two of slots. A key's first slot is the upper bits of its hash (multiplicative
    hashing, Knuth, TAOCP 3, 6.4), and the search goes on from slot to slot. *)

val of_key : int array -> int -> int -> int
(** [of_key a at n] is the hash of [a.(at)], ..., [a.(at + n - 1)]. *)

val first_bits : int
(** The binary logarithm of the smallest table's size. *)

val slot : int -> bits:int -> int
(** The first slot in a table of [2]{^ [bits]} slots. *)
