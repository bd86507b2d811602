(** Explores all scenarios, shows that each planted fault is caught, and prints the figures. *)
