(** All rivals, and the benchmarks they take part in. *)

open Weft_bench_harness

val all : Rival.t list
(** Those that Weft's benchmarks know, present or missing. *)

val ways : Rival.t list -> (string * Benchmark.way) list
(** [ways rivals] is what those of [rivals] that are present do, by the names of the benchmarks. *)

val missing : Rival.t list -> Contestant.missing list
(** [missing rivals] are those that are not there. *)
