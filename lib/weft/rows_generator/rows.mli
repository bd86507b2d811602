(** Prints bigarray_rows.ml. *)
