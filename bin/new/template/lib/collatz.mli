val steps : int -> int

val longest : int -> int
(** The most steps from a number between 1 and this one, in parallel. *)

val longest_sequentially : int -> int
(** The same, as one would write it without Weft. *)
