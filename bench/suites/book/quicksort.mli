(** Quicksort in place. By hand: with a cutoff, below which the best sequential program sorts. *)

val best_sequential : int array -> int -> int -> unit
(** [best_sequential a lo hi] sorts the elements from index [lo] to [hi]. *)

val by_hand : int array -> int -> int -> unit
(** The same in parallel, with a cutoff. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_quicksort]. *)
