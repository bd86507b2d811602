(** Merge sort. By hand: in two arrays that take turns, with cutoffs for sorting and merging. *)

val insertion_sort : int array -> int -> int -> unit
(** [insertion_sort a lo hi] sorts the elements from index [lo] to [hi - 1]. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_merge_sort]. *)
