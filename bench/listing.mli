(** Makes the text that [weft bench --list] prints. *)

open Weft_bench_harness

val contestants : Benchmark.t list -> Contestant.t list
(** [contestants benchmarks] is every method of any of them, once. *)

val text : Selection.t -> missing:Contestant.missing list -> string
(** [text selection ~missing] is the benchmarks with their sizes and methods, the groups, the methods, and
    those that are missing. *)
