(** What becomes ready in a pool that is full of work: how long it waits until it runs. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** The group [ready]: a benchmark for each kind of work that fills the pool, with a method for each of those
    who make something ready. *)
