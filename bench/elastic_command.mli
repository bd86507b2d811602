(** The subcommand [weft bench elastic].

    Exit codes as those of {!Bench_command}; where the system allows no CPU quota, the cases that need one are
    left out with one line on standard error, and that is no error. *)

val name : string
(** [elastic]. *)

val doc : string
(** One line, no full stop. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)
