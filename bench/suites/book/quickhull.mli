(** Quickhull. The best sequential program moves the points within one array. By hand: in blocks, each of
    which also finds its farthest point. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_quickhull]. *)
