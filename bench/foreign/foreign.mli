(** The benchmarks [fib], [nqueens], [matmul], [reduce] and [for_irregular] in other languages.

    For each number of domains a program has one process, which is started at the first run and stays, so that
    the rounds interleave and what warms up stays warm; between runs it rests ({!Child.settle}). The time of a
    run is what the program says; it is compared with OCaml's sequential program like all others, and, as a
    figure, with the sequential program in its own language ({!Programs.t}). One that is started anew, because
    it kept too much memory or has failed elsewhere, first does once for nothing what it is asked. *)

open Weft_bench_harness

type t = {
  ways : (string * Benchmark.way) list;  (** by the name of the benchmark *)
  missing : Contestant.missing list;
}

val make : ?limit:float -> folder:string option -> Programs.t list -> t
(** [make ~folder programs] are those of [programs] that are in [folder] (see {!Programs.folder}), and the
    others. A program that does not answer within [limit] seconds (default: 600) is ended; that, and any other
    failure of a program, is {!Child.Failed} in the run. *)

val stop_all : unit -> unit
(** [stop_all ()] ends all processes of such programs, as the end of this one does. The next run starts them
    anew. *)

val matmul_check_value : int -> int
(** [matmul_check_value n] is what the programs must answer to [matmul n]: with [a i k = (7i + 3k) mod 11] and
    [b k j = (5k + 2j) mod 13], the sum of [(1 + i mod 3) * (1 + j mod 5) * c i j] over all elements of their
    product [c]. All is exact in floating point. *)
