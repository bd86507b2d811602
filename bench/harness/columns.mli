(** Tables in plain text. *)

type align = Left | Right
type 'row t = { title : string; align : align; cell : 'row -> string }

val widths : 'row t list -> 'row list -> int list
(** [widths columns rows] is the width that each column needs for its title and its cells. *)

val titles : 'row t list -> int list -> string
(** [titles columns widths] is the line of the titles. It is indented by two blanks, and two blanks separate
    columns. *)

val line : 'row t list -> int list -> 'row -> string
(** [line columns widths row] is the line of [row]. *)
