(** Tests of [weft new], whose path is the first argument. *)
