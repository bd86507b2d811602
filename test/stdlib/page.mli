(** The page [doc/stdlib.md]. *)

val text : Modules.t list -> string
