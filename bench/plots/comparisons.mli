(** Figures that set methods side by side, as bars. *)

val speed_ups : Colours.t -> Run.t -> Chart.t list
(** [speed_ups colours run] is, for one domain and for as many as processors, how many times faster than the
    sequential program each method of Weft's is, for every benchmark that has one. Where a benchmark was run
    with several cutoffs, the case without counts. *)

val per_fork : Colours.t -> Run.t -> Chart.t list
(** [per_fork colours run] is, for each case whose forks are counted, the time of one by method and number of
    domains: nanoseconds of wall time. *)

val per_operation : Colours.t -> Run.t -> Chart.t list
(** [per_operation colours run] is the same for each benchmark that tells the time of one operation, or how
    many are made in a second. *)
