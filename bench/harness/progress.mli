(** A line on standard error that says what is running; nothing if that is no terminal. *)

type t

val start : total:int -> t
(** [start ~total] is a display of [total] steps. *)

val step : t -> string -> unit
(** [step t what] shows that the next step has begun, and [what] it is. *)

val finish : t -> unit
(** [finish t] clears the line. *)
