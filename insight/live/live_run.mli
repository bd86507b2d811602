(** Shows what a program does. *)

type subject =
  | Program of string * string list  (** started for this, with these arguments *)
  | Process of int  (** which runs already, and goes on afterwards *)

type options = { every : float option;  (** seconds *) subject : subject }

val exit_wrong : int

val run : options -> int
(** The exit code: the program's own, or 128 plus the number of the signal that killed it; {!exit_wrong} if
    the program cannot be run, or if it ends with 0 and has written no events. Of a process that ran already:
    0, or {!exit_wrong} if its events cannot be read. *)
