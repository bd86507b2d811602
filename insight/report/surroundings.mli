(** Findings about effects of the machine on the program. *)

val lost_time : Trace.t -> int
(** ns in which threads of the program could have run, but the system or the hypervisor ran others; 0 if the
    trace does not say. *)

val findings : Trace.t -> Workers.t array -> Finding.t list
(** Findings about other programs or machines on the processors, and more workers at work than processors. *)
