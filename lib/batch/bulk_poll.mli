(** Polls of the owner of a structure that applies many operations one by one: it may be suspended between two
    of them, so that others run, but is not cancelled there. *)

val after : int -> unit
(** [after i], behind operation [i] of many, counted from 0, polls ({!Weft_scheduler.Poll.checkpoint}) after
    every 64th. *)

val iter : ('op -> unit) -> 'op array -> unit
(** [Array.iter] that polls so. *)
