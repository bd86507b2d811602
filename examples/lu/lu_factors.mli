(** Square matrices as products of two triangular ones. *)

type matrix = floatarray array
(** The rows, all as long as there are rows. Shorter ones raise [Invalid_argument]. *)

exception Zero_pivot of int
(** An element of the diagonal, in the row with this number from 0, has become zero: the matrix has no
    inverse, or rows would have to be exchanged first. *)

val random_dominant : seed:int -> int -> matrix
(** [random_dominant ~seed n] has [n] rows of numbers from -1 to 1. Each element on the diagonal is larger
    than the sum of the others in its row: such a matrix has factors, and rounding hardly matters. *)

val decompose : matrix -> unit
(** [decompose a] replaces [a] by its factors. The upper one is on and above the diagonal, the lower one below
    it; the lower one's diagonal consists of ones, and is not stored. It takes [n]{^ 3}[/ 3] multiplications
    for [n] rows.
    @raise Zero_pivot if there are no factors. Then [a] is left in between. *)

val product : matrix -> matrix
(** [product factors] multiplies the factors that {!decompose} has left. *)

val distance : matrix -> matrix -> float
(** [distance a b] is the greatest difference of elements at the same place; [nan] if one is [nan]. *)
