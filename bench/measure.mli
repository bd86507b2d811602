(** From a plan to the table and the JSON file, whether it comes to its end or is interrupted. *)

open Weft_bench_harness
open Weft_bench_results

type rivals = {
  is_rival : Contestant.t -> bool;  (** whether that is not Weft's, and may fail without ending the run *)
  own : string -> string option;  (** the plain program in a method's own language: see {!Row.of_measured} *)
  version : string -> string option;  (** of the library and the compiler of a method, for the header *)
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
    to warm up unless [quick], and then, if [elastic], the cases of {!Elastic_command}; prints the table, and
    writes the results to [places]. The exit code.

    A rival that fails is dropped from that benchmark and goes on the list of those that are missing; the
    others go on, and the exit code is {!Output.exit_wrong}. If any other fails, that ends the run, and what
    has been measured by then is kept, with what has failed in the header.

    SIGINT and SIGTERM end it: what has been measured by then is printed and written all the same, marked as
    interrupted, if there is anything, and the process exits with {!Interrupts.exit_code}. *)
