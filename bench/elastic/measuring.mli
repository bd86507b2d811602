(** Measures the chosen cases and returns rows. Each run has a process of its own; runs of different entries
    are interleaved. *)

open Weft_bench_harness

type choice = {
  cases : Case.t list;
  methods : string list option;  (** [None]: all; so in the next two fields *)
  workloads : string list option;
  domains : int list option;  (** for the cases that let the user choose *)
  share : Case.t -> float;  (** the share of the usual work; 1 is all of it *)
}

type entry = { case : Case.t; program : Case.program; config : Plan.config }
(** What is measured for one row. *)

val plan : choice -> (entry list, string) result
(** [plan choice] is all that was chosen and makes sense, in the order of the table. [Error] is one line for
    the user: nothing of a case is left to run, or no chosen case takes the given domains or workloads. *)

type skipped = { case : Case.t; why : string }

val possible : ?root:string -> program:string -> entry list -> entry list * skipped list
(** [possible ~program entries] are the entries that the system allows, and the cases that it does not allow:
    those with quotas may be refused ([root] as in {!Cpu_group}). Must be called, like {!run}, within
    {!Processes.guarded}. [program] is [weft]. *)

val run :
  ?so_far:(int -> Row.t list -> unit) ->
  program:string ->
  runs:int ->
  limit:float ->
  progress:(round:int -> entry -> unit) ->
  entry list ->
  (Row.t list, string) result
(** [run ~program ~runs ~limit ~progress entries] runs each of [entries] once in each of [runs] rounds, in the
    order of {!Rounds.order}; the rows are in the order of [entries]. [Error] is one line: a result was wrong,
    or a process failed; then nothing more is run. [so_far] is called after each round with its number and the
    rows so far, and after each run of the first round with 0 and the rows of the runs so far.

    A run that takes longer than [limit] seconds, its preparations included, is killed. Its time counts as
    [limit], and the row has the figure {!Row.over_limit_title}, the number of such runs; its allocation is
    unknown. An entry that has gone over the limit once is not run again. *)
