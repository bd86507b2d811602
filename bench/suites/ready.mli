(** How long a fiber or task that becomes ready waits, in a pool full of work, until it runs. *)

open Weft_bench_harness

val benchmarks : Benchmark.t list
(** The group [ready]: a benchmark for each kind of work that fills the pool, with a method for each way to
    make something ready. *)
