(** Figures that compare methods, as bars. *)

val speed_ups : Colours.t -> Run.t -> Chart.t list
(** [speed_ups colours run] shows how many times faster than the sequential program each method of Weft is,
    for every benchmark that has a sequential program: one figure for one domain, one for as many domains as
    processors. If a benchmark was run with several cutoffs, the case without a cutoff counts. *)

val per_fork : Colours.t -> Run.t -> Chart.t list
(** [per_fork colours run] shows the time of a fork, by method and number of domains, for each case whose
    forks are counted: nanoseconds of wall time. *)

val per_operation : Colours.t -> Run.t -> Chart.t list
(** [per_operation colours run] is the same for each benchmark that has the time of one operation, or the
    number of operations in a second, as a figure. *)
