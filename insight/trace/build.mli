val version : string
(** The version of the tools. *)
