(** Runs programs to profile them. *)

type ended = Exited of int | Killed of int  (** OCaml's number of the signal *)

val run : quiet:bool -> variables:(string * string) list -> string list -> (ended, string) result
(** [run ~quiet ~variables command] runs the program to its end, with these variables in its environment and
    without others that begin with [WEFT_PROFILE]. With [quiet], its standard output is dropped. Control-C
    goes to the program. [Error] is a line for the user: the program could not be started. *)

val how : ended -> string
(** In words: ["exited with code 3"], ["was killed by SIGSEGV"]. *)

val profile : burden:int -> string -> string list -> (Recorded.t * ended, string) result
(** [profile ~burden file command] runs the program and reads what it has written to [file], which must not
    exist before. It is also an [Error] if that is no profile. *)

val time : domains:int -> string list -> (float, string) result
(** Runs the program with [domains] as the default number of domains; returns the seconds that it spent in
    calls into pools from outside. *)

val elapsed : name:string -> domains:int -> string list -> (float, string) result
(** Runs the program likewise, with its standard output dropped; returns the seconds of the whole run. It is
    an [Error], which calls it [name], if it does not exit with 0. *)

val with_temporary : (string -> ('a, string) result) -> ('a, string) result
(** [with_temporary f] is [f file] for a file that does not exist yet; it is removed afterwards. It is also an
    [Error] if no such file can be made, for example because [TMPDIR] is no folder. *)
