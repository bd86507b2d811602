(** Runs a plan to its end, or until it is interrupted, and writes the table and the JSON file. *)

open Weft_bench_harness
open Weft_bench_results

type rivals = {
  is_rival : Contestant.t -> bool;
      (** whether a contestant is not Weft's; it may fail without ending the run *)
  own : string -> string option;  (** the plain program in the language of a method: see {!Row.of_measured} *)
  version : string -> string option;
      (** the versions of the library and the compiler of a method, for the header *)
}

val no_rivals : rivals

val run :
  quick:bool ->
  runs:int ->
  elastic:bool ->
  missing:Contestant.missing list ->
  rivals:rivals ->
  Plan.config list ->
  Results.t Output.places ->
  int
(** [run ~quick ~runs ~elastic ~missing ~rivals configs places] measures [configs] in [runs] rounds, after one
    to warm up unless [quick], and then, if [elastic], the cases of {!Elastic_command}; it prints the table,
    and writes the results to [places]. Returns the exit code.

    If a rival fails, it is dropped from that benchmark and listed as missing; the others go on, and the exit
    code is {!Output.exit_wrong}. If any other contestant fails, the run ends; what has been measured by then
    is kept, and the header says what has failed.

    SIGINT and SIGTERM end the run. What has been measured by then, if anything, is printed and written all
    the same, marked as interrupted, and the process exits with {!Interrupts.exit_code}. *)
