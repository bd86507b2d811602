(** What is known of benchmarks by their names, beside what is in a file of results. *)

val is_of_weft : string -> bool
(** [is_of_weft method_] tells whether it is Weft itself that is measured so. *)

val is_foreign : string -> bool
(** [is_foreign method_] tells whether it is a program in another language. *)

val elastic : string -> (string * string) option
(** [elastic bench] is the case and the workload of [weft bench elastic] that have rows of that name; the
    workload is [""] if there is only one. *)
