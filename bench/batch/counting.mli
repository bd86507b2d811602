(** A counter: each operation adds one and returns the value before. *)

open Weft_bench_harness

val check : int -> int array -> final:int -> (unit, Benchmark.wrong) result
(** [check n answers ~final] is right if [answers] are the numbers from 0 to [n - 1], each once, and [final]
    is [n]. *)

val benchmark : group:string -> Benchmark.t
(** [batch_counter]. *)
