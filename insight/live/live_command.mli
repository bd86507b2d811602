(** [weft live]. *)

val cmd : int Cmdliner.Cmd.t
