(** What the process did while no worker had a job. *)

val is_known : Trace.t -> bool
(** Whether the tracer looked at the processor time of the process. *)

val waited : Trace.t -> Workers.t list -> nobody:Intervals.t -> Intervals.t
(** The moments of [nobody] in which the program waited, for a processor or for something outside Weft: it
    used less than half of a processor, beside what its workers may have used within jobs. That is the time in
    which they were neither blocked nor without a processor. The tracer looks at the processor time every 20
    ms, later every 100 ms; moments of which nothing is known are left out. Proportional to the number of
    workers times that of spans at which threads stood still, and logarithmic in the number of looks. *)
