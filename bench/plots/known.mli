(** Facts about benchmarks that files of results do not contain, by the benchmark's name. *)

val is_of_weft : string -> bool
(** [is_of_weft method_] tells whether the method measures Weft itself. *)

val is_foreign : string -> bool
(** [is_foreign method_] tells whether the method is a program in another language. *)

val elastic : string -> (string * string) option
(** [elastic bench] is the case and the workload of [weft bench elastic] whose rows have that name; the
    workload is [""] if there is only one. *)

val kind : string -> string
(** [kind bench] is the benchmark of the suites that the rows measure: for a case of [weft bench elastic] the
    one that the case runs, else [bench]. *)

val judged : string list
(** The benchmarks of the suites and of batched structures in which a method of Weft takes part and whose time
    counts, without those that have large problems. *)
