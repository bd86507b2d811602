(** Shows counters that only grow by their rates, since their totals say little in a picture. *)

val shown : Trace.t -> Trace.series list
(** The counters that get a row of the timeline: those with two samples or more. Processor times of machine
    and program are in per cent of one processor, from each sample to the next: the time that the hypervisor
    took, the time that the program had, and the time in which it waited for a processor; these have no [id].
*)
