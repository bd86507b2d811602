(** What a function's code is, for tables of what is known about it. *)

val code : ('a -> 'b) -> int
(** A number for the code of a function: closures made at the same place of the program have the same one,
    whatever their variables are. Two loads; the number is good for hints alone. *)

val is_shared : int -> bool
(** Whether it is the code that native functions of two to five arguments share when all but their last
    argument are applied. *)
