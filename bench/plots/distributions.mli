(** Histograms, from the buckets that rows have as figures. *)

val all : Run.t -> Chart.t list
(** [all run] has a histogram for each case and each counted quantity (such as lateness, or the size of
    batches), with an outline for each method and number of domains, which shows the shares of all runs
    together. *)
