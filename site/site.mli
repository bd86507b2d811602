(** A program. *)
