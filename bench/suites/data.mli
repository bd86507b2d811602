(** The group [data]: functions on large arrays, lists, bigarrays, sequences and files, each beside the plain
    loop that a user would write. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
