(** Timers in pools that are full of work: how late sleeps and timeouts are. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** The group [timers_busy]: a benchmark for each kind of work that fills the pool. *)
