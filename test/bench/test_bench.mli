(** Runs the tests of the benchmark harness; {!Test_suite_runs} and {!Test_batch_runs} run the benchmarks. *)
