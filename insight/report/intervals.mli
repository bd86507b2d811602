(** Sets of moments: sorted arrays of intervals that do not touch. All operations take time in proportion to
    their arguments. *)

type t = private (int * int) array
(** Beginnings and ends, [begin < end]; the end is not part of it. *)

val empty : t

val of_list : (int * int) list -> t
(** In any order; they may overlap. Empty ones are left out. *)

val of_sorted : (int * int) array -> t
(** Sorted by beginning; they may overlap. *)

val length : t -> int
(** The sum of the lengths. *)

val union : t -> t -> t
val inter : t -> t -> t
val diff : t -> t -> t

val at_least : int -> t list -> t
(** [at_least n sets] are the moments that are in [n] of [sets] or more. *)

val longest : t -> (int * int) option
