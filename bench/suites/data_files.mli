(** Of the group [data]: text in files, beside [awk] and [sort] where they are installed. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** [data_lines], [data_long_line], [data_sum_column], [data_sort_lines]. *)

val missing : Contestant.missing list
(** The programs that are not installed. *)
