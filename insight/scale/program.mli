(** Programs that are run to be profiled. *)

type ended = Exited of int | Killed of int  (** OCaml's number of the signal *)

val run : quiet:bool -> variables:(string * string) list -> string list -> (ended, string) result
(** [run ~quiet ~variables command] runs it to its end with these variables in its environment, and nothing
    else that begins with [WEFT_PROFILE]; with [quiet], what it prints to standard output is dropped.
    Control-C goes to the program. [Error] is a line for the user: it could not be started. *)

val how : ended -> string
(** ["exited with code 3"], ["was killed by SIGSEGV"]. *)

val profile : burden:int -> string -> string list -> (Recorded.t * ended, string) result
(** [profile ~burden file command] runs the program and reads what it has written to [file], which must not be
    there. [Error] also if that is no profile. *)

val time : domains:int -> string list -> (float, string) result
(** Seconds in which the program called into pools from outside, with as many domains by default. *)

val with_temporary : (string -> ('a, string) result) -> ('a, string) result
(** [with_temporary f] is [f file] for a file that is not there yet, and is removed afterwards. [Error] also
    if none can be made, as where [TMPDIR] is no folder. *)
