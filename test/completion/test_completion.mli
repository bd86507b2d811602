(** Tests of the manual pages and of the completion in shells. The first argument is the program weft. *)
