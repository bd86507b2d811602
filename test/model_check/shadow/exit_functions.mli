(** No program ends in the scenarios. *)

val are_due : unit -> bool
val run_if_due : unit -> unit
