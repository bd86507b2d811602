(** How small tasks may be: the part of the time that is work, by the size of tasks. *)

open Weft_bench_harness

val by_task_size : Run.t -> Chart.t list
(** [by_task_size run] is one figure for each case whose rows have such figures ([metg]), with a curve for
    each method and number of domains. *)

val medians : Row.t -> (float * float) list
(** [medians row] are the sizes of task in nanoseconds, ascending, and the medians of the efficiency in
    percent. *)

val greatest : float
(** What an efficiency is at most, in percent, unless the work by itself was measured wrong. *)
