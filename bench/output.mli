(** Prints and writes the results of the commands that measure and compare, and defines their exit codes. *)

open Weft_bench_results

val error : ?command:string -> string -> unit
(** [error message] is one line on standard error, with [weft] and the command (default: [bench]) before it.
*)

val warn_of_profile : unit -> unit
(** Prints a warning if this was built in the dev profile. *)

val exit_wrong : int
(** 1: a wrong result, or an exception. *)

val exit_bad_file : int
(** 2: a file cannot be read, is not what it should be, or cannot be written. *)

val exit_usage : int
(** 2: a wrong command line. *)

val exits : Cmdliner.Cmd.Exit.info list
(** All exit codes of [weft bench]. *)

val usual_exits : Cmdliner.Cmd.Exit.info list
(** The exit codes that all commands have: standard output cannot be written, a bug. *)

val print : ?command:string -> string -> int
(** [print text] prints [text] to standard output, and is the exit code. *)

(** {1 Files} *)

type 'a form = {
  option : string;  (** such as [--csv] *)
  path : string option;  (** the file that the option names; [None] if nothing is to be written *)
  show : 'a -> string;
}
(** A form in which an ['a] may be written. *)

type 'a places
(** Files that can all be written, and what goes into each. *)

val to_places : ?command:string -> 'a form list -> ('a places -> int) -> int Cmdliner.Term.ret
(** [to_places forms f] is [f places] for the files that [forms] name. If one of them cannot be written, or
    two are the same, it is an error and does not call [f]. *)

val report : ?command:string -> 'a -> text:string -> 'a places -> int
(** [report value ~text places] writes [value] to all of [places], each whole or not at all. It prints [text],
    unless one of them is standard output, where the value must be alone. Returns the exit code. *)

val file_arg : option:string -> doc:string -> string option Cmdliner.Term.t
(** The option [option], such as [--csv], with the name of a file. *)

val json_text : Yojson.Safe.t -> string

val results_arg : Results.t form list Cmdliner.Term.t
(** The options [--json], [--csv] and [--google-json]. *)

val csv_form : Results.t form Cmdliner.Term.t
(** The option [--csv]. *)

val google_form : Results.t form Cmdliner.Term.t
(** The option [--google-json]. *)
