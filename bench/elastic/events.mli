(** What events cost: tasks of ten microseconds, while the events for [weft trace] are written, and while they
    are not. Nobody reads them: what [weft trace] itself takes of the processors is not part of it. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [events]: pairs of rounds, one with events and one without, in alternating order, so that a drift of the
    machine hits both. The figure [% more] is by how many percent the round with events is longer than the one
    without, the median of the pairs; it is below 0 if the round is shorter. A process that runs this must do
    nothing else: the runtime's events stay started, though paused, afterwards. *)
