(** One run of a program under [WEFT_EXPLORE]. *)

open Weft_schedules

val fields : Search.how -> string
(** For [WEFT_EXPLORE]; not of a schedule. *)

val run :
  folder:string ->
  seconds:float ->
  patience:int ->
  timers:bool ->
  quiet:bool ->
  Search.how ->
  string list ->
  (Search.run, string) result
(** Runs the command, with files in [folder], and kills it after that time. The failure's [text] is the first
    MiB of its standard error. If [quiet], its standard output is thrown away. Without a record, it was
    killed. The [Error] is one line.

    @raise Signalled see {!end_at_signals}. *)

exception Signalled of int

val end_at_signals : unit -> unit
(** From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT kill the program that runs, or that will be run next, and
    {!run} raises [Signalled] once it has ended. *)
