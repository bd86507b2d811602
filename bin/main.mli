(** The program [weft]: one subcommand for each task. *)
