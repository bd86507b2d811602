(** The values of a module, with their types as texts that can be compared: variables are named in the order
    in which they come, and the module's own type has one name, whatever it is an abbreviation of. *)

type t = (string * string) list
(** Names and types, in the order of the interface. *)

val read : own:string list -> shown:string -> string -> t
(** [read ~own ~shown path] is the values of the module [path] (["Weft.Array"]). The types with a path in
    [own] are written [shown]. *)

val text : own:string list -> shown:string -> Types.type_expr -> string
