(** How a range is cut into pieces for ranks: always at nodes of the tree of Weft's reductions.

    {!Weft_loops.Reduce} halves a range down to leaves, and the tree depends on the range alone. A piece is a
    node of that tree; so whoever computes it, with however many domains, what is combined with what stays the
    same, and so do the bits.

    Pieces become smaller from left to right: each has about [1 / (2 * ranks)] of what is left from its start
    on, so that a rank that is late in the end is late by little. This is factoring (Hummel, Schonberg and
    Flynn, Factoring: a method for scheduling parallel loops, CACM 1992) with the sizes that the tree allows.
    There are O(ranks * log n) pieces. *)

type t =
  | Piece of { number : int; first : int; last : int }  (** numbers count from 0, from left to right *)
  | Node of { first : int; last : int; left : t; right : t }

val tree : ranks:int -> leaf:int -> int -> int -> t
(** [tree ~ranks ~leaf start finish] cuts the range from [start] to [finish] (included), which is not empty,
    where leaves have up to [leaf] elements. *)

val leaf_of_reduction : int option -> int -> int -> int
(** [leaf_of_reduction chunk_size start finish] is the greatest leaf that {!Weft_loops.Reduce} would have. *)

val leaf_of_loop : ranks:int -> int -> int -> int
(** For loops whose results do not depend on it: so small that the last pieces are short, and no smaller. *)

val pieces : t -> (int * int) array
(** First and last element of each piece. *)
