(** Square matrices as products of two triangular ones. *)

type matrix = floatarray array
(** By rows, all as long as there are rows. Shorter ones raise [Invalid_argument]. *)

exception Zero_pivot of int
(** An element of the diagonal, in the row with this number from 0, has become zero: the matrix has no
    inverse, or rows would have to be exchanged first. *)

val random_dominant : seed:int -> int -> matrix
(** [random_dominant ~seed n] has [n] rows of numbers from -1 to 1 and, on the diagonal, more than the others
    of the row have together: such a matrix has factors, and rounding hardly matters. *)

val decompose : matrix -> unit
(** [decompose a] replaces [a] by its factors. The upper one is found on the diagonal and above it, the lower
    one below it; its own diagonal is of ones, and not kept. [n]{^ 3}[/ 3] multiplications for [n] rows.
    @raise Zero_pivot if it cannot be done. [a] is spoiled then. *)

val product : matrix -> matrix
(** [product factors] multiplies the factors that {!decompose} has left. *)

val distance : matrix -> matrix -> float
(** [distance a b] is how much elements at the same place differ at most; [nan] if one is [nan]. *)
