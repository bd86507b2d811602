(** A Datalog database of a dense graph and its transitive closure: nine queries for each new edge. *)

val benchmarks : group:string -> mixes:string -> Weft_bench_harness.Benchmark.t list
(** [batch_datalog], whose queries are for all nodes that one leads to (200; 50 below 5,000 operations), of
    [group]; [batch_datalog_point], which ask whether there is a path from one node to another, of [mixes]. *)
