(** Breadth-first search, level by level. The best sequential program has a queue. By hand: in blocks of the
    frontier. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_breadth_first]. *)
