(** All rivals, and the benchmarks in which they take part. *)

open Weft_bench_harness

val all : Rival.t list
(** All rivals that Weft's benchmarks know, present or missing. *)

val ways : Rival.t list -> (string * Benchmark.way) list
(** [ways rivals] are the ways of those [rivals] that are present, by the names of the benchmarks. *)

val loops : Rival.t list -> (Contestant.t * Weft_bench_suites.Ways.for_) list
(** [loops rivals] are those [rivals] that are present, each with its loop. *)

val missing : Rival.t list -> Contestant.missing list
(** [missing rivals] are those that are not installed. *)
