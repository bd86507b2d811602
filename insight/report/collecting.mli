(** Whether collections are what the program does. *)

val findings : Trace.t -> Workers.t array -> Collections.t -> Finding.t list
(** One or none. Time that the machine gave to others in the middle of a collection, and the waiting of the
    other domains for it, is no time of the collector: as far as the trace tells of such time
    ({!Surroundings}), it is left out. *)
