(** The command [weft plot]. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code: 0, or 2 if it could not do what was asked; then it has said why in one line.
    Ends the process by the signal, if one comes meanwhile. *)
