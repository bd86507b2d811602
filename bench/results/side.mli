(** One side of a comparison: what is compared of one file. *)

open Weft_bench_harness

(** The values of a row that are compared. *)
type measure =
  | Seconds  (** the time of each run *)
  | Ratio  (** {!Baseline.ratios} *)
  | Figure of string
      (** a time or a rate with that title ({!Figure.lower_is_better}), for rows whose time is set by pauses
      *)

type subject = {
  bench : string;
  size : int;
  cutoff : int option;
  method_ : string;
  domains : int;
  measure : measure;
}
(** What identifies a row in both files. *)

type row = {
  subject : subject;
  grain : Benchmark.grain;
  plain : bool;  (** whether it is a plain program, which shows more about the machine than about Weft *)
  values : float list;  (** the values of the runs; not empty *)
  over_limit : bool;  (** whether some runs were stopped at a time limit *)
}

type t = {
  path : string;
  header : Header.t;
  rows : row list;
  without_ratio : int;
      (** if ratios are compared, the number of rows without ratios, not counting sequential programs *)
}

val read_pair : ratios:bool -> string -> string -> (t * t, string) result
(** [read_pair ~ratios a b] reads two files of results or baselines. With [ratios], or if one is a baseline,
    ratios are compared, else times and figures. [Error] is one line for the user. *)

val measure_name : measure -> string
(** The measure's name: ["seconds"], ["x sequential"], or the title. *)

val case : row -> string
(** [case row] are benchmark, size and cutoff of the row, as in {!Benchmark.case}; for plain programs, which
    have no cutoff, benchmark and size. *)

val describe : row -> string
(** [describe row] is one line for people: ["fib 36, no cutoff, par, 2 domains"]. *)
