(** Histograms, of the buckets that rows have as figures. *)

val all : Run.t -> Chart.t list
(** [all run] is one for each case and each thing that is counted (how late something was, how many operations
    a batch had), with an outline for each method and number of domains: the parts of all runs together. *)
