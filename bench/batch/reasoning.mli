(** A Datalog database of a dense graph and its transitive closure: nine queries for each new edge. *)

val benchmarks : group:string -> mixes:string -> Weft_bench_harness.Benchmark.t list
(** [batch_datalog], in [group], queries all nodes that one node leads to (200; 50 below 5,000 operations).
    [batch_datalog_point], in [mixes], asks whether there is a path from one node to another. *)
