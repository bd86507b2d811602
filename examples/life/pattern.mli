(** The boards to begin with. *)

type t =
  | Picture of string list  (** rows in the form of {!Board.row}, all equally long *)
  | Random  (** about every third cell is alive *)

val named : (string * t) list
(** All patterns by their names. *)

val size : t -> int * int
(** [size t] is the width and the height of the smallest board that holds [t]. *)

val board : t -> width:int -> height:int -> seed:int -> Board.t
(** A board with the pattern in its middle. [seed] is for [Random]: the same seed gives the same board.
    @raise Invalid_argument if the board is smaller than [size t]. *)
