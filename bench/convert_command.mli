(** The subcommand [weft convert]: results in other forms.

    Exit codes: 0 done; 2 a file cannot be read, is not what it should be, or cannot be written, and bad
    usage. Each error is one line on standard error. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
