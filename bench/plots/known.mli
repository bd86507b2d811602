(** What is known of benchmarks by their names, beside what is in a file of results. *)

val is_of_weft : string -> bool
(** [is_of_weft method_] tells whether it is Weft itself that is measured so. *)

val is_foreign : string -> bool
(** [is_foreign method_] tells whether it is a program in another language. *)

val elastic : string -> (string * string) option
(** [elastic bench] is the case and the workload of [weft bench elastic] that have rows of that name; the
    workload is [""] if there is only one. *)

val kind : string -> string
(** [kind bench] is the benchmark of the suites that is run there: for cases of [weft bench elastic] the one
    that the case runs, else [bench]. *)

val judged : string list
(** The benchmarks of the suites and of batched structures in which a method of Weft's takes part, and of
    which the time of a run counts; those with large problems left out. *)
