(** The command [weft migrate]. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
