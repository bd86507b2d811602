(** What the machine and the tracing did to the program. *)

val lost_time : Trace.t -> int
(** ns in which threads of the program could have run, but the system or the hypervisor let others run; 0 if
    the trace does not tell. *)

val findings : Trace.t -> Workers.t array -> Finding.t list
(** Other programs or machines on the processors, more workers at work than processors, lost events. *)
