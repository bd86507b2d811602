(** The subcommand [weft bench elastic].

    Exit codes as those of {!Bench_command}; where the system allows no CPU quota, the cases that need one are
    left out with one line on standard error, and that is no error. *)

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
      (** by that signal; the results of the rounds that are complete, or of the runs of the first *)
  | Failed of string * results option  (** one line, and the same *)

val all : quick:bool -> runs:int -> outcome
(** [all ~quick ~runs] measures all cases in [runs] rounds. [quick]: a twentieth of the usual work, and where
    any number of domains will do, 2 and 8 only. *)
