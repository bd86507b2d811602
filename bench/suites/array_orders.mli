(** Of the group [functions]: sorting, and what tells of an order. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** [functions_sorted], [functions_sort_by_key], [functions_counting_sort], [functions_rank],
    [functions_is_sorted], [functions_minmax], [functions_min_index]. *)
