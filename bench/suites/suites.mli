(** The benchmarks. *)

val all : Weft_bench_harness.Benchmark.t list
(** All benchmarks but those of {!large}, in the order in which they run. *)

val large : Weft_bench_harness.Benchmark.t list
(** Those that [weft bench all] leaves out: large problems, which take minutes, and the groups [data] and
    [functions]. *)
