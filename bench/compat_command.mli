(** The command [weft bench compat]. *)

val name : string
val doc : string

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
