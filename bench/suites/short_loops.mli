(** Short loops, many of them in a run: what a loop costs beside its work.

    The size is the work of one loop in microseconds ({!Microseconds}). A run has some 50 ms of work, whatever
    the size. Its figures are the number of loops, the time of one, and ["ops/us"]. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** [short_loops], one loop after the other; [short_loops_uneven], where each iteration of the second half
    does ten times the work of one of the first; and the group [short_loops_gaps]: 10 us, 100 us, 1 ms or 10
    ms of sequential work after each loop. There, the time of a loop is that of the loops alone, by two looks
    at the clock for each. *)

val by : Contestant.t -> Ways.for_ -> (string * Benchmark.way) list
(** [by contestant for_] are the ways of another loop, by the names of the benchmarks. *)

val of_length : int -> (Contestant.t * Ways.for_) list -> Benchmark.t
(** [of_length microseconds others] are loops of this length one after the other, by a plain loop, by Weft's
    and by [others]; the size is the number of loops, for runs of any length. *)
