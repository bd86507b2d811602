(** Tests of the manual pages and of the completion for shells. The first argument is the program weft. *)
