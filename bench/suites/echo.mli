(** Requests and answers of 16 bytes over 64 connections, each with a client and a server that wait for each
    other: fibers with {!Weft_unix}, or threads with blocking calls. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [echo]. *)
