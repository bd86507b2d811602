(** Sudoku: nine rows, nine columns and nine boxes of three by three cells, each of which must contain the
    digits 1 to 9. *)

type t
(** A board, some of whose cells may be empty. No digit occurs twice in a row, a column or a box. *)

val of_string : string -> (t, string) result
(** [of_string text] reads 81 cells, row after row: the digits 1 to 9, and [.] or [0] for an empty one.
    Spaces, line ends and the characters [|], [-] and [+], from which frames are drawn, do not count. [Error]
    says what is wrong, and where. *)

val to_string : t -> string
(** Nine lines with their ends, and two more that separate the boxes. [of_string] reads it. *)

val solve : t -> t option
(** [solve t] is [t] with all cells filled; [None] if there is no solution. If there are several, it is the
    one that is found first, which is not always the same one. The branches of the search run in parallel; a
    solution cancels all others. *)
