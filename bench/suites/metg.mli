(** How small tasks may be (Task Bench, Slaughter and others, 2020). The programs are trees of equal tasks,
    with 10 ns to 1 ms of work each and the same work in all. The figures are the share of the time that is
    work (the efficiency), and the least size of task at which it is a half: the METG(50 %).

    The work of a task is measured in the same run, before the trees, by a plain loop over a part of the
    tasks. The size of a task in the sense of Task Bench is its share of the time of all domains, including
    forking and waiting: [d * t / n] if [n] tasks take [t] seconds on [d] domains. The efficiency is the work
    of a task divided by its size. *)

val sizes : int list
(** The work of a task in nanoseconds, approximately, in ascending order. *)

type point = { size : float; efficiency : float }
(** The result for one of them: the size in nanoseconds, the efficiency from 0 to 1. *)

val least_effective : point list -> float option
(** [least_effective points] is the least size at which the efficiency is half, in nanoseconds. [points] are
    in the order of {!sizes}. It starts from the greatest size and goes down to the first size below a half;
    between that one and the one before it interpolates on logarithmic scales. If all sizes reach a half, it
    is the size of the first, an upper bound. [None] if the greatest size does not. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [metg]: 50 ms of work for each size of task. Its figures are [METG ns], and the efficiency in percent at
    each of {!sizes}, such as [% 10ns]. *)
