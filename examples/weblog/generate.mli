(** Logs to try the program on. *)

val line : int -> string
(** [line i] is line [i] of a log without end, always the same, without its line end. One in a thousand is not
    a line that can be read. *)
