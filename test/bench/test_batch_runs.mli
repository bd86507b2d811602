(** Runs the benchmarks of batched structures, with every method. *)
