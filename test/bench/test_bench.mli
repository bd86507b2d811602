(** Runs all tests of the benchmark harness. *)
