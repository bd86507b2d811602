(** Runs the tests of this folder. *)
