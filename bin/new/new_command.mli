(** The command [weft new]. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. The caller must flush standard output. *)
