(** Sets of moments: sorted arrays of intervals that do not touch. If nothing else is said, the time of an
    operation is proportional to the size of its arguments. *)

type t = private (int * int) array
(** Pairs of beginning and end, [begin < end]; the end is not part of the interval. *)

val empty : t

val of_list : (int * int) list -> t
(** From intervals in any order, which may overlap. Empty ones are left out. *)

val of_sorted : (int * int) array -> t
(** From intervals sorted by beginning, which may overlap. *)

val length : t -> int
(** The sum of the lengths. *)

val union : t -> t -> t

val inter : t -> t -> t
(** Proportional to the intervals of both between the first common moment and the end of that which ends
    first, and the logarithms of their sizes. *)

val overlap : t -> from:int -> until:int -> t
(** [overlap t ~from ~until] is the part of [t] between these times. *)

val first_after : t -> int -> int
(** The index of the first interval that ends after that time; the number of intervals, if none does.
    Logarithmic. *)

val diff : t -> t -> t

val at_least : int -> t list -> t
(** [at_least n sets] are the moments that are in [n] of [sets] or more. *)

val longest : t -> (int * int) option
