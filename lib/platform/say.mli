(** Messages on standard error, from places that must go on whatever happens. *)

val line : ('a, unit, string, unit) format4 -> 'a
(** [line "..." ...] prints "weft: " and the message as one line. If it cannot be written, or a signal handler
    raises meanwhile, the message is lost and nothing is raised. *)
