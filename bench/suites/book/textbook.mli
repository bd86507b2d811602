(** What the benchmarks of the group [book] have in common. *)

open Weft_bench_harness

type ('input, 'result) programs = {
  best_sequential : 'input -> 'result;  (** the best sequential program of any kind *)
  sequential : 'input -> 'result;  (** the steps of [book], in plain code *)
  book : 'input -> 'result;  (** as a book has it: without a cutoff, without a chunk *)
  by_hand : 'input -> 'result;  (** the best parallel program, with cutoffs and blocks chosen by hand *)
}
(** Four programs with the same result. *)

val benchmark :
  ?sizes:int * int ->
  ?sweep_sizes:int list ->
  name:string ->
  doc:string ->
  size_doc:string ->
  size:int ->
  quick:int ->
  input:(int -> 'input) ->
  digest:('result -> int) ->
  ('input, 'result) programs ->
  Benchmark.t
(** [benchmark ~name ... programs] is the benchmark [book_NAME], with a method for each program: see
    {!Same_result.benchmark}. *)

val both : cutoff:int -> int -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both ~cutoff n f g] is [Weft.par f g] if [n] is at least [cutoff], and calls [f] and then [g] otherwise.
    For programs by hand. *)
