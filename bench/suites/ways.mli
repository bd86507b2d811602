(** Ways to solve one problem, each in a line: input and check are written once for all. *)

open Weft_bench_harness

type ('input, 'result) problem = {
  prepare : unit -> 'input;  (** see {!Benchmark.work} *)
  check : 'result -> (unit, Benchmark.wrong) result;
}

val way :
  Contestant.t ->
  (int -> ('input, 'result) problem) ->
  (Benchmark.params -> ('input -> 'result) option) ->
  Benchmark.way
(** [way contestant problem compute] solves [problem size] by [compute params]; it does not take part where
    that is [None]. The number of forks is unknown. *)

val domain_spawn : (int -> ('input, 'result) problem) -> (domains:int -> 'input -> 'result) -> Benchmark.way
(** [domain_spawn problem compute] is the way of {!Weft_bench_contestants.Domain_spawn}: for two domains or
    more, and without a cutoff. *)

type for_ = start:int -> finish:int -> body:(int -> unit) -> unit
(** A loop over [start] to [finish] (included) that calls [body]. *)

(** A program of one or several loops. *)
type loop = Loop : (int -> ('input, 'result) problem) * (for_ -> 'input -> 'result) -> loop

val by_loop : loop -> Contestant.t -> (Benchmark.params -> for_) -> Benchmark.way
(** [by_loop program contestant for_] is [program] with the loop [for_ params]. *)

val of_loops :
  (int -> ('input, 'result) problem) ->
  program:(for_ -> 'input -> 'result) ->
  in_place:('input -> 'result) ->
  Benchmark.way list
(** [of_loops problem ~program ~in_place] are the ways of [program] with the loop of each contestant:
    [sequential], [loop] (the cutoff is its chunk size) and [domain-spawn]; and [in_place], the same program
    with plain loops whose bodies are written in place. [program] gets its loop as an argument, so the body is
    compiled the same for all. *)

val chunk_doc : string
(** The meaning of the cutoff in these benchmarks. *)
