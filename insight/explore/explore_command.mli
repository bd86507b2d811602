(** The command [weft explore]. *)

val cmd : int Cmdliner.Cmd.t
