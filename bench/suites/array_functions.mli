(** Functions of {!Weft.Array} and {!Weft.Atomic_array}, each beside the best sequential program for the same
    result. *)

open Weft_bench_harness

val scattered : int -> int -> int
(** [scattered bits i] is a number of so many bits that looks random. *)

val merge : int array -> int array -> int array
(** A plain merge of two sorted arrays. *)

val number_of_set : bool array -> int
(** How many elements are [true]. *)

val case :
  ?group:string ->
  ?size_doc:string ->
  ?size:int ->
  ?others:(Contestant.t * ('input -> int array)) list ->
  string ->
  string ->
  (int -> 'input) ->
  ('input -> int array) ->
  ('input -> int array) ->
  Benchmark.t
(** [case name doc input plain ours] is the benchmark [GROUP_NAME], of [arrays] unless said otherwise: see
    {!Same_result.benchmark}. *)

val compared :
  digest:('result -> int) ->
  ?group:string ->
  ?size_doc:string ->
  ?size:int ->
  ?others:(Contestant.t * ('input -> 'result)) list ->
  string ->
  string ->
  (int -> 'input) ->
  ('input -> 'result) ->
  ('input -> 'result) ->
  Benchmark.t
(** {!case}, where the results are not arrays of integers. *)

val benchmarks : Benchmark.t list
(** [arrays_integer_sort], [arrays_kth_smallest], [arrays_pack_index], [arrays_scan_inplace];
    [arrays_write_min], where offers for the elements of an array compete, also with an array of OCaml's
    [Atomic.t] (the way of loops); [arrays_merge_short], [arrays_short_searches] and
    [arrays_counted_searches], of short arrays, many in one loop or reduction. *)
