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
(** [benchmark ~name ... programs] is the benchmark [book_NAME], with a method for each program. [input] makes
    a new input for each run, which the program may change. All results must have the [digest] that the result
    of [best_sequential] has. *)

val both : cutoff:int -> int -> (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both ~cutoff n f g] is [Weft.par f g] if [n] is at least [cutoff], and calls [f] and then [g] otherwise.
    For programs by hand. *)

(** {1 Digests} *)

val add : int -> int -> int
(** [add digest x] is another digest for each [x]. *)

val ints : int array -> int
(** [ints a] is the digest of the elements, in their order. *)

val floats : float array -> int
(** [floats a] is the digest of the bits of the elements, in their order. *)
