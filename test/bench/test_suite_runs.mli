(** Runs all benchmarks but those of batched structures, with every method, at many small sizes. *)
