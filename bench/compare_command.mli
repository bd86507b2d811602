(** The subcommand [weft compare]: compares two files of results, row by row.

    Exit codes: 0 nothing is slower; 1 something is; 2 bad usage, or a file cannot be read or written, is not
    what it should be, or has nothing in common with the other one. Each error is one line on standard error.
*)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
