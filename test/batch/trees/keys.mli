(** Integers as keys, whose comparison can be made to raise. *)

exception Blown

type t = int

val compare : int -> int -> int

val blow_after : int -> (unit -> 'a) -> 'a
(** [blow_after n f] is [f ()], in which the [n]th comparison raises {!Blown}; later ones do not. *)

val has_blown : unit -> bool
(** Within {!blow_after}: whether there have been that many comparisons. *)

val poison : int
(** A key that raises {!Blown} whenever it is compared. *)
