(** The longest common subsequence, by diagonals. The best sequential program goes row by row. By hand:
    squares of 500 by 500. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_common_subsequence]. *)
