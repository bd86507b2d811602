(** Runs a program and shows what it does. *)

type options = { every : float option;  (** seconds *) program : string; arguments : string list }

val exit_wrong : int

val run : options -> int
(** The exit code: the program's own, or 128 plus the number of the signal that killed it; {!exit_wrong} if
    the program cannot be run, or if it ends with 0 and has written no events. *)
