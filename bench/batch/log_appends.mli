(** Durable appends to a log. The sequential method and the one with a lock call [fsync] for each append; the
    batched one commits a batch with one [fsync]. *)

val benchmark : group:string -> Weft_bench_harness.Benchmark.t
(** [batch_log], of records of 100 bytes, in the folder for temporary files. *)
