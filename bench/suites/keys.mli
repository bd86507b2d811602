(** Grouping and counting by key, and what reserves and commits. The sequential programs use the standard
    library's hash tables, or an array of counts, as one would write them. *)

val benchmarks : Weft_bench_harness.Benchmark.t list
(** The group [keys]: [keys_words] counts the words of a text; [keys_groups_few] and [keys_groups_many] group
    integers by 1,000 keys and by as many as there are integers; [keys_buckets] counts in as many buckets as
    integers; [keys_independent_set] finds a maximal independent set of a graph with five edges for each node.
*)

val functions : Weft_bench_harness.Benchmark.t list
(** Of the group [functions]: [functions_reduce_by_index], [functions_reduce_by_key],
    [functions_remove_duplicates]. *)
