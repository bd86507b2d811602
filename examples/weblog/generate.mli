(** Made-up logs to try the program on. *)

val line : int -> string
(** [line i] is line [i] of an infinite log, always the same, without its line end. One line in a thousand
    cannot be parsed. *)
