(** Durable appends to a log: sequential and behind a lock with an [fsync] each, batched by group commit. *)

val benchmark : group:string -> Weft_bench_harness.Benchmark.t
(** [batch_log], of records of 100 bytes, in the folder for temporary files. *)
