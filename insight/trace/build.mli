val version : string
(** Of the tools. *)
