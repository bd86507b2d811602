(** The program that checks all models: see [README.md], section {e How to run}. *)
