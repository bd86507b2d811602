(** Fibers that share the workers of a pool: whether each has as many turns as another. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** The group [fairness]: a benchmark for each number of fibers, with a method for each way to have turns. *)
