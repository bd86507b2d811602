(** What the commands of [weft bench] print and write, and their exit codes. *)

open Weft_bench_harness

val error : string -> unit
(** [error message] is one line on standard error. *)

val warn_of_profile : unit -> unit
(** Says so if this was built in the dev profile. *)

val exit_wrong : int
(** 1: a wrong result, or an exception. *)

val exit_usage : int
(** 2: a wrong command line. *)

val exits : Cmdliner.Cmd.Exit.info list
(** All exit codes. *)

val print : string -> int
(** [print text] prints it to standard output, and is the exit code. *)

val report : json:Yojson.Safe.t -> text:string -> Json_file.t option -> int
(** [report ~json ~text place] writes [json] to [place], if there is one, and prints [text], unless that is
    standard output too, where JSON must be alone. The exit code. *)

val json_arg : string option Cmdliner.Term.t
(** The option [--json]. *)

val to_place : string option -> (Json_file.t option -> int) -> int Cmdliner.Term.ret
(** [to_place json f] is [f place] for the place that [--json] names; if nothing can be written there, an
    error and no call of [f]. *)
