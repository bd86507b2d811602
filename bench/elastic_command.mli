(** The subcommand [weft bench elastic].

    The exit codes are those of {!Bench_command}. If the system allows no CPU quota, the cases that need one
    are left out with one line on standard error; that is no error. *)

val name : string
(** [elastic]. *)

val doc : string
(** One line, no full stop. *)

val cmd : int Cmdliner.Cmd.t
(** Its value is the exit code. *)

(** {1 As a part of all benchmarks} *)

open Weft_bench_harness
open Weft_bench_results

type results = { rows : Row.t list; skipped : Results.skipped list }

type outcome =
  | Complete of results
  | Interrupted of int * results option
      (** by this signal; the results of the rounds that are complete, or of the runs in the first round *)
  | Failed of string * results option  (** one line that says why, and the same results *)

val all : quick:bool -> runs:int -> outcome
(** [all ~quick ~runs] measures all cases in [runs] rounds. [quick] takes a twentieth of the usual work, and
    only 2 and 8 domains where any number will do. *)
