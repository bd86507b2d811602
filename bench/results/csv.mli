(** Results as comma-separated values (RFC 4180, except that lines end with a single character). *)

val of_results : Results.t -> string
(** [of_results results] is a line of titles and a line for each row. The columns are the keys of the rows in
    the JSON file, then the medians of the figures by their titles. Values that are null there are empty here;
    the numbers of [seconds] and [cpu_runs] are separated by blanks. *)
