(** A Datalog database of a dense graph and its transitive closure: nine queries for each new edge. *)

val benchmarks : group:string -> mixes:string -> Weft_bench_harness.Benchmark.t list
(** [batch_datalog], whose queries have 200 answers, of [group]; [batch_datalog_point], which ask whether
    there is a path from one node to another, of [mixes]. *)
