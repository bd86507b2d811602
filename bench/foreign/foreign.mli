(** The benchmarks [fib], [nqueens], [matmul], [reduce] and [for_irregular] in other languages.

    For each number of domains a program has one process. It is started at the first run and stays, so that
    rounds can interleave and the process stays warm; between runs it is idle ({!Child.settle}). The program
    reports the time of a run. The time is compared with OCaml's sequential program like all others, and, as a
    figure, with the sequential program in its own language ({!Programs.t}). A process that replaces an
    earlier one, because that kept too much memory or has failed, first makes one run that does not count. *)

open Weft_bench_harness

type t = {
  ways : (string * Benchmark.way) list;  (** ways by the name of the benchmark *)
  missing : Contestant.missing list;
}

val make : ?limit:float -> folder:string option -> Programs.t list -> t
(** [make ~folder programs] are the ways of those [programs] that are in [folder] (see {!Programs.folder}),
    and the missing ones. A program that does not answer within [limit] seconds (default: 600) is killed; the
    run then raises {!Child.Failed}, as at any other failure of a program. *)

val stop_all : unit -> unit
(** [stop_all ()] ends all processes of these programs; they also end when this program ends. The next run
    starts them anew. *)

val matmul_check_value : int -> int
(** [matmul_check_value n] is the answer that programs must give to [matmul n]: with
    [a i k = (7i + 3k) mod 11] and [b k j = (5k + 2j) mod 13], the sum of
    [(1 + i mod 3) * (1 + j mod 5) * c i j] over all elements of their product [c]. All is exact in floating
    point. *)
