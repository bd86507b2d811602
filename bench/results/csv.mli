(** Results as comma-separated values (RFC 4180, but for line ends of one character). *)

val of_results : Results.t -> string
(** [of_results results] is a line of titles and a line for each row. The columns are the keys of the rows in
    the JSON file, then the medians of the figures by their titles. What is null there is empty here; the
    numbers of [seconds] and [cpu_runs] are separated by blanks. *)
