(** The subcommand [weft compare]: two files of results, row by row.

    Exit codes: 0 nothing is slower; 1 something is; 2 a file cannot be read, is not what it should be, has
    nothing in common with the other, or cannot be written, and bad usage. Each error is one line on standard
    error. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
