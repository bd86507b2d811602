(** Suffix arrays by prefix doubling. The best sequential program sorts once by counting in each round. By
    hand: a radix sort in eight parts. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_suffix_array]. *)
