(** How waits for a mutex end: whether somebody has waited for a mutex so long that it is handed over: as the
    scenario says. *)

val is_over : unit -> bool
(** [false], if the scenario says nothing. *)

val ends_when : (unit -> bool) -> unit
(** For the run that is being set up. *)

val wait_ended : unit -> unit
(** Called when a wait has ended well. *)

val first_wait_raises : exn -> unit
(** In the run that is being set up, the first wait that ends well raises all the same, as a signal's handler
    may do in a thread outside. *)
