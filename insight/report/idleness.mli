(** Findings about idle workers. *)

val findings : Trace.t -> Workers.t array -> waits:Activity.waits list -> Finding.t list
(** The findings for the whole trace and its regions, in no particular order; none if there are no workers. A
    finding about the whole program is left out if regions explain half of it. *)
