(** A maximal independent set: the one of the greedy loop over all nodes. The best sequential program marks
    the neighbours of each node that it takes. By hand: rounds over a prefix of the nodes. *)

val best_sequential : Inputs.graph -> int array
(** [best_sequential graph] is 1 for the nodes inside, and 2 for the others. *)

val book : Inputs.graph -> int array
(** The same in parallel, by {!Weft.speculative_for}. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_independent_set]. *)
