(** How [weft doctor] shows what it found. *)

val width : int
(** 100, the columns that the text keeps to; only a word longer than a line, such as a path, may go past them.
*)

val text : Facts.t -> string
(** For people: a title, sections of aligned lines, and the advice. Ends with a newline. *)

val json : Facts.t -> string
(** For programs: one JSON object with the facts and the advice. Ends with a newline. *)
