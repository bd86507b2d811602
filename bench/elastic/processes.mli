(** Child processes that never outlive their use. Not thread-safe: for a program with one thread. *)

exception Interrupted of int
(** This process has received the signal with this number (OCaml's). *)

val guarded : (unit -> 'a) -> ('a, int) result
(** [guarded f] is [f ()], during which handlers record the signals that end a program; the functions below
    raise {!Interrupted} where they wait. When [f] has returned or raised, every process started in it has
    ended. [Error signal] if a signal has come; the caller should clean up and then call {!die_of}. *)

val die_of : int -> 'a
(** [die_of signal] ends this process by that signal. *)

type output =
  | Exited of string  (** with code 0; the text is its output *)
  | Failed of string  (** ended in another way; the text says how *)
  | Over_limit  (** was killed at the limit *)

val run : ?input:string -> ?messages:Unix.file_descr -> limit:float -> string -> string list -> output
(** [run ~limit program arguments] runs the program for [limit] seconds at most. Its input is the file [input]
    (default: none); its standard error goes to [messages] (default: our standard error). *)

val beside : limit:float -> string -> string list -> (unit -> 'a) -> 'a
(** [beside ~limit program arguments f] starts the program, waits until it has printed its first line, calls
    [f ()] and kills the program.
    @raise Failure if no line comes within [limit] seconds. *)
