(** The benchmarks of {!Weft_batch}. *)

open Weft_bench_harness

val all : Benchmark.t list
(** [all], in the order in which they run. *)
