(** The command [weft plot]. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code: 0, or 2 if it could not do what was asked and has said why in one line. If a
    signal comes meanwhile, the process ends by it. *)
