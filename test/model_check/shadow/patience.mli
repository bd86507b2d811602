(** Whether somebody has waited for a mutex so long that it is handed over: as the scenario says. *)

val is_over : unit -> bool
(** [false], if the scenario says nothing. *)

val ends_when : (unit -> bool) -> unit
(** For the run that is being set up. *)
