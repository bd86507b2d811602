(** Tables in plain text. *)

type align = Left | Right
type 'row t = { title : string; align : align; cell : 'row -> string }

val widths : 'row t list -> 'row list -> int list
(** [widths columns rows] is what each column needs for its title and its cells. *)

val titles : 'row t list -> int list -> string
(** [titles columns widths] is the line of the titles: indented by two blanks, and so are columns apart. *)

val line : 'row t list -> int list -> 'row -> string
(** [line columns widths row] is that of [row]. *)
