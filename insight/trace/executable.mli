(** Lines of the functions of an executable file, from its table of symbols and its debugging information
    (ELF, DWARF 2 to 5), as compilers of OCaml write them. *)

type t

val load : string list -> t option
(** The first of these files that is an executable with Weft in it. Some ten milliseconds for a program of
    some megabytes. *)

val line : t -> int -> string option
(** [line t place] is ["file.ml:7"], where the function at that place ({!Weft_platform.Closure.place}) begins:
    the line with its [fun], or its name. [None] if the file does not tell, or if the function is one of
    Weft's own. *)
