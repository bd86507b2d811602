(** The subcommand [weft doctor]. *)

val cmd : int Cmdliner.Cmd.t
(** Prints what the machine offers to parallel programs, and what to change. Its value is the exit code 0. It
    leaves to the caller to flush standard output. *)

val exits : Cmdliner.Cmd.Exit.info list
(** The exit codes, for the manual: of this subcommand, and of [weft] itself. *)
