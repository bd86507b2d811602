(** Which functions have an example: a program of the repository that names them. *)

type t

val read : known:(string -> bool) -> string -> t
(** [read ~known folder] reads all programs ([.ml]) below [folder]. Names mean what they mean to the compiler:
    through [open], [M.(...)] and [module M = Weft.Chan], as far as [known] tells which modules and functions
    there are (["Weft.Chan"], ["Weft.Chan.send"]). One exception: a name without a module's that is bound
    anywhere in a program is taken for the program's own.
    @raise Sys_error if there is no such folder, or a program is not OCaml. *)

val shows : t -> string -> bool
(** [shows examples "Weft.Chan.send"]: whether some program calls it. Operators are in brackets:
    ["Weft.Stage.(>>>)"]. *)
