(** Finds programs that mostly collect garbage. *)

val findings : Trace.t -> Workers.t array -> losses:Losses.t -> Collections.t -> Finding.t list
(** One finding or none. If the machine ran other programs in the middle of a collection, that time, and the
    waiting of the other domains for it, does not count for the collector, as far as the trace tells of it
    ({!Surroundings}). *)
