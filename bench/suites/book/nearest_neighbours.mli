(** The nearest neighbours of all points, by a k-d tree. The best sequential program moves the points within
    one array. By hand: the same with a cutoff. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_nearest_neighbours]. *)
