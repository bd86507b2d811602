(** Processes that are started and watched, and never outlive their use. Not thread-safe: for a program of one
    thread. *)

exception Interrupted of int
(** This process has got the signal with that number (OCaml's). *)

val guarded : (unit -> 'a) -> ('a, int) result
(** [guarded f] is [f ()], during which the signals that end a program are noted and then raised as
    {!Interrupted} by the functions below where they wait. When [f] has ended, whatever way, so has every
    process started in it. [Error signal] if a signal has interrupted it; the caller should clean up and then
    call {!die_of}. *)

val die_of : int -> 'a
(** [die_of signal] ends this process by that signal. *)

type output =
  | Exited of string  (** with code 0, and what it has printed *)
  | Failed of string  (** in some other way; the text says how *)
  | Over_limit  (** had to be killed *)

val run : ?input:string -> ?messages:Unix.file_descr -> limit:float -> string -> string list -> output
(** [run ~limit program arguments] runs it, for [limit] seconds at most. Its input is the file [input]
    (default: none); its messages go to [messages] (default: our standard error). *)

val beside : limit:float -> string -> string list -> (unit -> 'a) -> 'a
(** [beside ~limit program arguments f] starts it, waits until it has printed its first line, calls [f ()] and
    kills it.
    @raise Failure if no line comes within [limit] seconds. *)
