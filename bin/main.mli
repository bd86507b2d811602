(** The program [weft]: one subcommand for each thing it can do. *)
