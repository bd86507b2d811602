(** Runs all benchmarks except those of batched structures, with every method, at many small sizes. *)
