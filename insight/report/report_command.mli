(** [weft report]. *)

val cmd : int Cmdliner.Cmd.t
