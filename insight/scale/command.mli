(** The command [weft scale]. *)

val scale : int Cmdliner.Cmd.t
