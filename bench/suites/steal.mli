(** What a steal takes: how long the thief waits for the job, and what the victim loses.

    There are two workers. The victim computes, in units of some 30 us, and pushes a job before every other
    unit, with nothing else in its deque. The thief's job ends only after the next one has been pushed, up to
    8 us later and while the victim computes. So the thief then finds a job at once, and there is only that
    one to take.

    - ["wait"] is the time from the end of a job until the next one begins, by the thief's own clock, so from
      finding a job until running it. It includes what ends one job and begins the next, and a look at the
      clock: in all some 0.1 us that no steal is to blame for.
    - ["loss"] is by how much the victim's units with a steal are longer than those without, which alternate
      with them: the difference of the medians, and that of the 99th percentiles. Pushing the job does not
      count. It says little below 0.1 us, and may be negative.

    Nothing is added to Weft. A unit in which the job was not taken counts for nothing. Neither does a job
    that the victim ran itself, or that followed one which had waited 2 ms for it. On a machine that gives the
    thief no processor, a run ends after some time with the steals it has seen: see the number of them. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [steal], on two domains; a method for each kind of victim. *)
