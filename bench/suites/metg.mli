(** How small tasks may be (Task Bench, Slaughter and others, 2020): trees of equal tasks, from 10 ns to 1 ms
    of work each, by the same amount of work in all; what part of the time goes into the work; and the least
    size of task at which that is half, the METG(50 %).

    The work of a task is measured in the same run, before the trees, by a plain loop over a part of the
    tasks. The size of a task in the sense of Task Bench is what it takes of all domains' time, the part spent
    on forking and waiting included: with [d] domains and [n] tasks in [t] seconds, [d * t / n]. The
    efficiency is the work of a task over that. *)

val sizes : int list
(** The work of a task in nanoseconds, in ascending order, about. *)

type point = { size : float; efficiency : float }
(** What was seen with one of them: the size in nanoseconds, the efficiency from 0 to 1. *)

val least_effective : point list -> float option
(** [least_effective points] is the least size at which the efficiency is half, in nanoseconds. [points] are
    in the order of {!sizes}. It is looked for from the greatest size down, between the last that is effective
    and the next, on logarithmic scales. If all are, it is the size of the first: it may be less. [None] if
    the greatest is not. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [metg]: 50 ms of work for each size of task. Its figures are [METG ns], and the efficiency in percent at
    each of {!sizes}, such as [% 10ns]. *)
