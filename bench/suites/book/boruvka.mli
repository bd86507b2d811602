(** Minimum spanning forests, by Boruvka. The best sequential program is Kruskal's, and the best by hand is
    the same with a parallel sort. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_boruvka]. *)
