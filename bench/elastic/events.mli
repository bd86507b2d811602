(** What events cost: tasks of ten microseconds, with and without what [weft trace] reads being written. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [events]: pairs of rounds, one with events and one without, the two in changing order, so that a drift of
    the machine hits both. The figure [% more] is by how many percent of the time without events the one with
    them is longer, the median of the pairs; below 0 if it is shorter. Not for a process that does something
    else, too: events stay at hand, though paused, when it has run. *)
