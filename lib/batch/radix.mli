(** Sorting integers of a few dozen bits, by digits instead of comparisons. *)

val sort : int array -> low:int -> bits:int -> unit
(** [sort a ~low ~bits] sorts [a] by the bits from [low] to [low + bits - 1] of its elements, which must not
    be negative; elements equal in these bits keep their order. O(n bits) by counting digits, least
    significant first (Knuth, The art of computer programming, volume 3, 5.2.5); O(n) if [a] is sorted
    already. It takes [n] more words. *)
