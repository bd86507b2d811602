(** How a range is divided between ranks: into {e cells}, which are nodes of the tree of Weft's reductions,
    and {e pieces}, which are cells side by side that a rank takes together.

    {b Cells.} {!Weft_loops.Reduce} halves a range down to leaves, and the tree depends on the range alone. A
    cell is a node of that tree; so whoever computes it, with however many domains, what is combined with what
    stays the same, and so do the bits. There are at most {!cells_per_rank} for each rank, twice as many if
    halving does not come out even.

    {b Pieces} are sized by what a cell has taken so far ({!next_piece}): long enough that taking them costs
    little, short enough that a costly part of the range is shared. Towards the end of the range they become
    smaller, so that a rank that is late is late by little: this is factoring (Hummel, Schonberg and Flynn,
    Factoring: a method for scheduling parallel loops, CACM 1992), with a limit in time. *)

type t =
  | Cell of { number : int; first : int; last : int }  (** numbers count from 0, from left to right *)
  | Node of { low : int; high : int; first : int; last : int; left : t; right : t }
      (** [low] and [high]: the numbers of its first and last cell *)

val cells_per_rank : int

val tree : ranks:int -> leaf:int -> int -> int -> t
(** [tree ~ranks ~leaf start finish] cuts the range from [start] to [finish] (included), which is not empty,
    where leaves have up to [leaf] elements: no cell is part of a leaf. *)

val leaf_of_reduction : int option -> int -> int -> int
(** [leaf_of_reduction chunk_size start finish] is the greatest leaf that {!Weft_loops.Reduce} would have. *)

val cells : t -> (int * int) array
(** First and last element of each cell. *)

val within : t -> int -> int -> (int * int) list
(** [within t i j]: first and last element of the greatest nodes whose cells are all among those from [i] to
    [j]; from left to right. O(log cells) nodes. *)

(** {1 Sizes of pieces} *)

val long_enough : int
(** Nanoseconds: pieces that take longer are not made longer. A millisecond, some hundred times what it costs
    to take one. *)

val longest_piece : int
(** Cells: an eighth of a rank's. Measuring says nothing about what comes next: a part of the range that is
    costly behind a cheap one is shared if it is longer than some such pieces. *)

val next_piece : ranks:int -> left:int -> before:int -> nanoseconds:int -> int
(** [next_piece ~ranks ~left ~before ~nanoseconds] is how many cells a rank should take next, if [left] are
    left, and a piece of [before] cells took so long: about as many as take {!long_enough}; but at most twice
    as many as before, at most {!longest_piece}, and a share of [1 / (2 * ranks)] of those that are left; at
    least 1. *)
