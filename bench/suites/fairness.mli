(** Fibers that share the workers of a pool: whether all have equally many turns. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** The group [fairness]: a benchmark for each number of fibers, with a method for each kind of turns. *)
