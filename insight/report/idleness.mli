(** What made workers idle. *)

val findings : Trace.t -> Workers.t array -> waits:Activity.waits list -> Finding.t list
(** Of the whole trace and of its regions, in no particular order; none where there are no workers. What holds
    for regions that explain half of the same of the whole program is said of them only. *)
