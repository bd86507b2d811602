(** Of the group [functions]: parts of arrays, and sums. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** [functions_pack], [functions_filteri], [functions_rotate], [functions_mismatch], [functions_scan_total].
*)
