(** Absurd arguments of what makes a structure, told in the name of the function that was called. *)

val check : string -> ?limit:int -> ?cutoff:[ `Adaptive | `Fixed of int ] -> unit -> unit
(** [check who ?limit ?cutoff ()], before [who] does anything.
    @raise Invalid_argument if [limit < 1], or [cutoff] is [`Fixed n] with [n < 1]. *)
