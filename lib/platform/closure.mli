(** What a function's code is, for tables of what is known about it. *)

val code : ('a -> 'b) -> int
(** A number for the code of a function: closures made at the same place of the program have the same one,
    whatever their variables are. Two loads; the number is good for hints alone. *)

val is_shared : int -> bool
(** Whether it is the code that native functions of two to five arguments share when all but their last
    argument are applied. *)

(** {1 Places}

    A place tells tools that can read the executable file which function that is, and so its line: the
    distance of its code from that of [weft_code_origin], a function of C's, in units of four bytes. *)

val place : ('a -> 'b) -> int
(** 0 in bytecode. *)

val place_of_code : int -> int
(** [place_of_code (code f)] is [place f]. *)
