(** Elements of a page, with all text escaped. *)

type t
(** Any number of nodes. *)

val text : string -> t

val raw : string -> t
(** [raw html] is [html], not escaped: for pictures and style sheets that this program makes. *)

val element : ?attributes:(string * string) list -> string -> t list -> t
(** [element ~attributes name children] is the element [name]. *)

val nothing : t
val all : t list -> t

val paragraph : string -> t
(** [paragraph text] is nothing if [text] is empty. *)

val table : ?of_class:string -> head:string list -> numbers:(int -> bool) -> t list list -> t
(** [table ~head ~numbers rows] has a line for each of [rows]; the columns for which [numbers] is true are
    aligned to the right. A reader can scroll a table that is too wide. *)

val to_string : t -> string
