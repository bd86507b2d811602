(** A program: see its dune file. *)
