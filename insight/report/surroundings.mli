(** Findings about effects of the machine on the program. *)

val lost_time : Trace.t -> int
(** ns in which threads of the program could have run, but the system or the hypervisor ran others; 0 if the
    trace does not say. *)

(** {1 Excuses}

    Why something may have taken long that is not the program's fault. *)

val is_busy : Trace.t -> bool
(** Whether other programs had the processors for a twentieth of the time, or the program's own threads more
    than there were: then threads hold locks for as long as they have no processor. *)

val least_when_busy : int
(** ns: what is shorter may then be the machine's doing. *)

val without_processor : Trace.t -> except:int -> int -> int -> int
(** [without_processor trace ~except start stop] is for how many ns in that time workers' threads could have
    run, but had no processor; summed over the rows, but for the row [except] ({!no_track}: over all).
    [without_processor trace] is proportional to the number of spans, the rest to that of these which fall
    into the time. *)

val no_track : int

val most_excused : float
(** What lasted long is not blamed on the program if workers had no processor for that part of it. *)

(** {1 Findings} *)

val findings : Trace.t -> Workers.t array -> Finding.t list
(** Findings about other programs or machines on the processors, more workers at work than processors, and
    what the tracer took. *)
