(** What a function's code is, for tables of what is known about it. *)

val code : ('a -> 'b) -> int
(** A number for the code of a function: closures made at the same place of the program have the same one,
    whatever their variables are, and so have all functions that were applied to some of their arguments. Two
    loads; the number is good for hints alone. *)
