(** Which benchmarks a command line of [weft bench] names. *)

open Weft_bench_harness

type t
(** All benchmarks there are. *)

val make : ?on_request:Benchmark.t list -> ?large:Benchmark.t list -> Benchmark.t list -> t
(** [make usual] is that: those of [usual] run if none is named, those of [on_request] (default: none) only if
    they, their group or [all] are; those of [large] (default: none) only if they are, or [--large] is given
    and what is named includes them. *)

val benchmarks : t -> Benchmark.t list
(** [benchmarks t] is all of them. *)

(** {1 Names} *)

type named
(** A benchmark, a group, or [all]. *)

val all : string
(** ["all"], which stands for every benchmark. *)

val groups : t -> (string * Benchmark.t list) list
(** [groups t] is the groups, in the order of their first members, those of [large] included. *)

val names : t -> named list
(** [names t] is what can be named. *)

val name : named -> string

(** {1 Choices} *)

type choice = {
  benchmarks : Benchmark.t list;
  everything : bool;  (** whether [all] was named *)
  by_name : bool;  (** whether each of them, or its group, was named *)
}

val choose : t -> large:bool -> named list -> (choice, string) result
(** [choose t ~large named] is what [named] stands for, in that order. [Error] is one line for the user: a
    benchmark that is there twice. *)
