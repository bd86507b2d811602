(** A sparse matrix by a vector: short reductions inside a loop. By hand: blocks of rows, each row by a plain
    loop. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_sparse_matrix]. *)
