(** What two files are compared by: one of them. *)

open Weft_bench_harness

(** What is compared of a row. *)
type measure =
  | Seconds  (** of each run *)
  | Ratio  (** {!Baseline.ratios} *)
  | Figure of string
      (** a time or a rate of that title ({!Figure.lower_is_better}): where pauses set the time *)

type subject = {
  bench : string;
  size : int;
  cutoff : int option;
  method_ : string;
  domains : int;
  measure : measure;
}
(** What is the same in both files. *)

type row = {
  subject : subject;
  grain : Benchmark.grain;
  plain : bool;  (** whether it is a plain program: then it tells of the machine more than of Weft *)
  values : float list;  (** of the runs; not empty *)
  over_limit : bool;  (** whether some were stopped at a time limit *)
}

type t = {
  path : string;
  header : Header.t;
  rows : row list;
  without_ratio : int;
      (** where ratios are compared: how many rows have none, the sequential programs apart *)
}

val read_pair : ratios:bool -> string -> string -> (t * t, string) result
(** [read_pair ~ratios a b] reads two files of results, or baselines. If [ratios], or if one is a baseline,
    ratios are compared, else times and figures. [Error] is one line for the user. *)

val measure_name : measure -> string
(** ["seconds"], ["x sequential"], or the title. *)

val case : row -> string
(** [case row] is its benchmark, size and cutoff, as {!Benchmark.case}; of plain programs, which know no
    cutoff, benchmark and size. *)

val describe : row -> string
(** [describe row] is one line for people: ["fib 36, no cutoff, par, 2 domains"]. *)
