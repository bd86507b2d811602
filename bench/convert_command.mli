(** The subcommand [weft convert]: writes results in other formats.

    Exit codes: 0 done; 2 bad usage, or a file cannot be read or written or is not what it should be. Each
    error is one line on standard error. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
