(** From a choice of cases to rows: every run in a process of its own, interleaved. *)

open Weft_bench_harness

type choice = {
  cases : Case.t list;
  methods : string list option;  (** [None]: all; so are the next two *)
  workloads : string list option;
  domains : int list option;  (** for cases that take any *)
  share : Case.t -> float;  (** of the usual work: 1 is all *)
}

type entry = { case : Case.t; program : Case.program; config : Plan.config }
(** What becomes one row. *)

val plan : choice -> (entry list, string) result
(** [plan choice] is all that was chosen and makes sense, in the order of the table. [Error] is one line for
    the user: a case of which nothing is left, or a choice of domains or workloads that no case heeds. *)

type skipped = { case : Case.t; why : string }

val possible : ?root:string -> program:string -> entry list -> entry list * skipped list
(** [possible ~program entries] are those that the system allows, and the cases that it does not: quotas
    ([root] as in {!Cpu_group}). To be called, like {!run}, within {!Processes.guarded}. [program] is [weft].
*)

val run :
  ?so_far:(int -> Row.t list -> unit) ->
  program:string ->
  runs:int ->
  limit:float ->
  progress:(round:int -> entry -> unit) ->
  entry list ->
  (Row.t list, string) result
(** [run ~program ~runs ~limit ~progress entries] runs each of [entries] once in each of [runs] rounds, in the
    order of {!Rounds.order}; the rows are in the order of [entries]. [Error] is one line: a wrong result, or
    a process that failed; nothing is run after that. [so_far] is called after each round with its number and
    the rows there would be if it were the last; and with 0 after each run of the first round, with the rows
    of what has been run.

    A run that takes longer than [limit] seconds, its preparations included, is killed. Its time counts as
    [limit], and the row has the figure {!Row.over_limit_title}, the number of such runs; of what it allocated
    nothing is known. What has gone over the limit once is not run again. *)
