(** What the process did while no worker had a job. *)

val waited : Trace.t -> at_work:Intervals.t list -> nobody:Intervals.t -> Intervals.t
(** The moments of [nobody] in which the program waited, for a processor or for something outside Weft: it
    used less than half of a processor, beside what workers [at_work] may have used. The tracer looks at the
    processor time every 20 ms, later every 100 ms; moments of which nothing is known are left out. Linear in
    the sizes of the sets and the number of looks. *)
