(** The subcommand [weft doctor]. *)

val cmd : int Cmdliner.Cmd.t
(** Prints what the machine offers to parallel programs, and what to change. Returns the exit code 0. The
    caller must flush standard output. *)

val exits : Cmdliner.Cmd.Exit.info list
(** The exit codes, for the manual: of this subcommand, and of [weft] itself. *)
