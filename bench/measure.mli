(** From a plan to the table and the JSON file, whether it comes to its end or is interrupted. *)

open Weft_bench_harness
open Weft_bench_results

val run : quick:bool -> runs:int -> elastic:bool -> Plan.config list -> Results.t Output.places -> int
(** [run ~quick ~runs ~elastic configs places] measures [configs] in [runs] rounds, after one to warm up
    unless [quick], and then, if [elastic], the cases of {!Elastic_command}; prints the table, and writes the
    results to [places]. The exit code.

    SIGINT and SIGTERM end it: what has been measured by then is printed and written all the same, marked as
    interrupted, if there is anything, and the process exits with {!Interrupts.exit_code}. *)
