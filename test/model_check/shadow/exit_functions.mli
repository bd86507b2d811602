(** No program ends here. *)

val while_waiting : Parker.t -> (unit -> 'a) -> 'a
val are_due : unit -> bool
val run_if_due : unit -> unit
