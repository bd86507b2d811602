(** A program started by the tool, which writes its events to rings. *)

type t

val start :
  ?stdin:Unix.file_descr ->
  ?stdout:Unix.file_descr ->
  ?stderr:Unix.file_descr ->
  dir:string ->
  ring:int option ->
  string ->
  string list ->
  (t, string) result
(** [start ~dir ~ring program arguments] starts the program with this process's standard input, output and
    error, unless others are given, and with this process's environment. Added to that are the variables that
    make it write its rings to [dir] and keep them, with [2^ring] words for each domain ([OCAMLRUNPARAM];
    without [ring], the user's own choice there, or {!usual_ring}). [Error] is a line for the user. *)

val usual_ring : int
val least_ring : int

val greatest_ring : int
(** With larger rings, the size of the file would overflow in the runtime. *)

val pid : t -> int

type ended = Exited of int | Killed of int  (** the system's number *)

val exit_code : ended -> int
(** The exit code of a tool that ran the program: the program's own; 128 and the number of the signal if one
    killed it. *)

val poll : t -> ended option
(** How the program ended, if it has ended. *)

val cpu : t -> int option
(** The nanoseconds of processor time of the program and of the processes that it started and waited for;
    [None] until {!poll} has returned how it ended. Correct only if this process waits for no other child. *)

val send : t -> int -> unit
(** Sends a signal, given by OCaml's number; does nothing if the program has ended. *)

val number_of_signal : int -> int
(** The system's number of a signal with OCaml's number. *)

val name_of_signal : int -> string
(** The name for a system's number, such as ["SIGSEGV"]. *)
