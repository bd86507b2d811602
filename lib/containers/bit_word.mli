(** Sets of the numbers 0 to 31, as the bits of one integer.

    {b Cost.} O(1). *)

val bits : int
(** How many bits an element has: 5. *)

val size : int
(** How many elements there can be: 32. *)

val lowest : int -> int
(** The least element of a set that is not empty. *)

val highest : int -> int
(** The greatest element of a set that is not empty. *)

val above : int -> int -> int
(** [above i word] has the elements of [word] that are greater than [i]. *)

val below : int -> int -> int
(** [below i word] has the elements of [word] that are less than [i]. *)

val length : int -> int
(** [length n], for [n >= 0] of up to 63 bits, is how many bits [n] has: the least [b] with [n < 2 ** b]. *)
