(** No program ends in the scenarios. *)

val while_waiting : Parker.t -> (unit -> 'a) -> 'a
val are_due : unit -> bool
val run_if_due : unit -> unit
