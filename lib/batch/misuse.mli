(** Checks the arguments of functions that make structures; messages name the function that was called. *)

val check : string -> ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> unit
(** [check who ?limit ?cutoff ()] is called before [who] does anything.
    @raise Invalid_argument if [limit < 1], or [cutoff] is [`Fixed n] with [n < 1]. *)

val check_count : string -> int -> unit
(** [check_count who n] checks the number [n] of operations that [who] is called with.
    @raise Invalid_argument if [n < 0]. *)
