(** Ways of one problem, each in a line: what input, result and check have in common is said once. *)

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
(** [way contestant problem compute] solves [problem size] by [compute params], where that is not [None]. No
    number of forks is known. *)

val domain_spawn : (int -> ('input, 'result) problem) -> (domains:int -> 'input -> 'result) -> Benchmark.way
(** [domain_spawn problem compute] is the way of {!Weft_bench_contestants.Domain_spawn}: for two domains or
    more, and without a cutoff. *)

type for_ = start:int -> finish:int -> body:(int -> unit) -> unit
(** A loop over [start] to [finish] (included) that calls [body]. *)

(** A program of one loop or several. *)
type loop = Loop : (int -> ('input, 'result) problem) * (for_ -> 'input -> 'result) -> loop

val by_loop : loop -> Contestant.t -> (Benchmark.params -> for_) -> Benchmark.way
(** [by_loop program contestant for_] is [program] with the loop [for_ params]. *)

val of_loops :
  (int -> ('input, 'result) problem) ->
  program:(for_ -> 'input -> 'result) ->
  in_place:('input -> 'result) ->
  Benchmark.way list
(** [of_loops problem ~program ~in_place] is [program] with the loop of every contestant, [sequential], [loop]
    (the cutoff is its chunk size) and [domain-spawn], and [in_place], the same with plain loops that have
    their bodies written in place. As [program] does not know its loop, all compile the body alike. *)

val chunk_doc : string
(** What the cutoff of these benchmarks is. *)
