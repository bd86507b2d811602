(** Figures of times by domains, cutoffs and sizes. Each is drawn if at least two values were measured;
    benchmarks whose time is set by pauses are not drawn. *)

val by_domains : Colours.t -> Run.t -> Chart.t list
(** [by_domains colours run] also shows the sequential program, the ideal and {!Amdahl}'s law. The ideal is
    the time of the sequential program, or else of the first method on one domain, divided by the number of
    domains, or of processors if there are fewer. The law is fitted to the first method of Weft, on no more
    domains than processors. *)

val by_cutoff : Colours.t -> Run.t -> Chart.t list
(** [by_cutoff colours run] has a figure for each number of domains; the default is at the right end. It also
    shows the sequential program, and its time divided by the number of domains. *)

val by_size : Colours.t -> Run.t -> Chart.t list
(** [by_size colours run] has a figure for each cutoff and number of domains. *)
