(** Ray casting, with a tree of boxes around triangles. The best sequential program moves the triangles within
    one array. By hand: the same with a cutoff. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_ray_casting]. *)
