(** How small tasks may be: the part of the time that is work, by the size of tasks. *)

val by_task_size : Run.t -> Chart.t list
(** [by_task_size run] is one figure for each case whose rows have such figures ([metg]), with a curve for
    each method and number of domains. *)
