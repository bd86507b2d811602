(** A program that is run, with its rings open. *)

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
(** [start ~dir ~ring program arguments]: it finds standard input, output and errors as this process has them
    unless others are given, and its environment as it is, but for what has it write its rings to [dir] and
    keep them, with [2^ring] words for each domain ([OCAMLRUNPARAM]; without [ring], the user's own choice
    there, or {!usual_ring}). [Error] is a line for the user. *)

val usual_ring : int
val least_ring : int

val greatest_ring : int
(** More, and the size of the file would be more than the runtime can count. *)

val pid : t -> int

type ended = Exited of int | Killed of int  (** the system's number *)

val poll : t -> ended option
(** How it ended, if it has. *)

val cpu : t -> int option
(** The nanoseconds of processor time that it had in all, with those of the processes that it started and
    waited for; once {!poll} has said that it ended. Right while this process waits for no other. *)

val send : t -> int -> unit
(** A signal, by OCaml's number; nothing if it has ended. *)

val number_of_signal : int -> int
(** The system's number of a signal with OCaml's number. *)

val name_of_signal : int -> string
(** By the system's number: ["SIGSEGV"]. *)
