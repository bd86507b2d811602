(** Tests of {!Model_check}: that a broken model cannot pass. *)
