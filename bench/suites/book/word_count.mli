(** Counting words. The best sequential program has a hash table. By hand: one for each of eight blocks of the
    text. *)

val best_sequential : string -> (string * int) array
(** [best_sequential text] is the words, and how often each occurs. *)

val book : string -> (string * int) array
(** The same in parallel, by {!Weft.Array.histogram_by_key}. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_word_count]. *)
