(** How small tasks may be: the share of the time that is work, by the size of tasks. *)

open Weft_bench_harness

val by_task_size : Run.t -> Chart.t list
(** [by_task_size run] is one figure for each case whose rows have efficiencies ([metg]), with a curve for
    each method and number of domains. *)

val medians : Row.t -> (float * float) list
(** [medians row] are pairs of a task's size in nanoseconds, ascending, and the median of the efficiency in
    percent. *)

val greatest : float
(** The greatest plausible efficiency in percent: above it, the work alone was measured wrong. *)
