(** Finds the benchmarks that a command line of [weft bench] names. *)

open Weft_bench_harness

type t
(** All benchmarks that can be chosen. *)

val make : ?on_request:Benchmark.t list -> ?large:Benchmark.t list -> Benchmark.t list -> t
(** [make usual] is a selection. If no benchmark is named, those of [usual] run. Those of [on_request]
    (default: none) run only if they, their group or [all] are named; those of [large] (default: none) only if
    they are named themselves, or [--large] is given and a name includes them. *)

val benchmarks : t -> Benchmark.t list
(** [benchmarks t] is all benchmarks. *)

(** {1 Names} *)

type named
(** A benchmark, a group, or [all]. *)

val all : string
(** ["all"], which stands for every benchmark. *)

val groups : t -> (string * Benchmark.t list) list
(** [groups t] is the groups, in the order of their first members, with those of [large]. *)

val names : t -> named list
(** [names t] is what can be named. *)

val name : named -> string

(** {1 Choices} *)

type choice = {
  benchmarks : Benchmark.t list;
  everything : bool;  (** whether [all] was named *)
  by_name : bool;  (** whether each of them was named by its own name *)
}

val choose : t -> large:bool -> named list -> (choice, string) result
(** [choose t ~large named] is what [named] stands for, in that order. Without [large], a group stands for its
    benchmarks that are not large, if it has any. [Error] is one line for the user: a benchmark is chosen
    twice. *)
