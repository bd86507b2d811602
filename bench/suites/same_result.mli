(** Benchmarks of programs that all give the same result. *)

open Weft_bench_harness

val benchmark :
  ?sizes:int * int ->
  ?sweep_sizes:int list ->
  ?more_sizes:int list ->
  ?quick:int ->
  group:string ->
  name:string ->
  doc:string ->
  size_doc:string ->
  size:int ->
  input:(int -> 'input) ->
  digest:('result -> int) ->
  (Contestant.t * ('input -> 'result)) * (Contestant.t * ('input -> 'result)) list ->
  Benchmark.t
(** [benchmark ~group ~name ... (plain, others)] is the benchmark [GROUP_NAME], with a method for each
    program; [plain] is the best sequential one. [input] makes a new input for each run, which the program may
    change. All results must have the [digest] that the result of [plain] has. [quick] is a twentieth of
    [size] unless given. *)

(** {1 Digests} *)

val add : int -> int -> int
(** [add digest x] is another digest for each [x]. *)

val ints : int array -> int
(** [ints a] is the digest of the elements, in their order. *)

val floats : float array -> int
(** [floats a] is the digest of the bits of the elements, in their order. *)

val strings : string array -> int
(** [strings a] is the digest of the elements, in their order. *)
