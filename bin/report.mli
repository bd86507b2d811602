(** How [weft doctor] shows what it found. *)

val width : int
(** 100, the greatest width of a line; only a word that is longer, such as a path, may exceed it. *)

val text : Facts.t -> string
(** For people: one line that says whether this program and machine are set up well; if not, why and what to
    do; then the facts, in sections of aligned lines. Ends with a newline. *)

val json : Facts.t -> string
(** For programs: one JSON object with the facts and the advice. Ends with a newline. *)
