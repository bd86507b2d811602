(** One run of a program under [WEFT_EXPLORE]. *)

type failure = {
  kind : string;
      (** [deadlock], [livelock], [exception Not_found], ...: two failures of one kind are the same *)
  text : string;  (** what the program wrote to standard error *)
}

type t = { failure : failure option; record : Record.t option  (** [None] if it was killed *) }

type how =
  | First
  | Walk of int
  | Priorities of { seed : int; depth : int; length : int }
  | Schedule of string  (** a file *)

val fields : how -> string
(** For [WEFT_EXPLORE]. *)

val run :
  folder:string -> seconds:float -> patience:int -> quiet:bool -> how -> string list -> (t, string) result
(** Runs the command, with files in [folder], and kills it after that time. Its standard error is kept, and
    its standard output too if [quiet]. The [Error] is one line.

    @raise Signalled see {!end_at_signals}. *)

exception Signalled of int

val end_at_signals : unit -> unit
(** From now on SIGINT, SIGTERM, SIGHUP and SIGQUIT kill the program that runs, or that will be run next, and
    {!run} raises [Signalled] once it has ended. *)
