(** The functions of Weft's collections that are the standard library's own, and not merely like them. *)

type t = {
  path : string;  (** of Weft's module: ["Weft.List"] *)
  functions : (string * bool) list;
      (** the function's name, and whether the two are one closure: a test checks that *)
  primitives : string list;  (** primitives of the compiler, as in the standard library *)
}

val all : t list

val names : string -> string list
(** The functions of the module with this path, primitives included. *)

val whole_names : string list
(** All of them, as in ["Weft.List.rev"], without primitives. *)
