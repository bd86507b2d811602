(** The sieve of Eratosthenes. The best sequential program and the one by hand sieve segments that fit into
    the cache. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [book_sieve]. *)
