(** Counters that only grow, as what they grow by: the others say nothing as a picture. *)

val shown : Trace.t -> Trace.series list
(** The counters that are worth a row of the timeline, with two samples or more. Of the machine and of the
    program, in per cent of one processor from each sample to the next: the time that the hypervisor took, the
    time that the program had, and that in which it waited for a processor; these have no [id]. *)
