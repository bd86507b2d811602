(** Findings about idle workers. *)

val findings : Trace.t -> Workers.t array -> losses:Losses.t -> waits:Activity.waits list -> Finding.t list
(** The findings for the whole trace and its regions, in no particular order; none if there are no workers, or
    if lost events leave too little of what they did. There is one for each cause ({!Repetition}). If events
    were lost, nothing is said of idleness that has no cause in the trace. *)
