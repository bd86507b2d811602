(** What to do with each of domainslib's functions: the one table of it in the program; [doc/migrating.md]
    says the same at length.

    Each answer is whether the change is needed for the program to compile with [weft-domainslib], and the
    advice; [None]: nothing to say. *)

val of_task : string -> (bool * string) option
(** Of a function of [Domainslib.Task]. *)

val of_channel : string -> (bool * string) option
(** Of [Domainslib.Chan]. *)

val of_deque : (bool * string) option
(** Of [Domainslib.Ws_deque]. *)

val in_ocaml : string
(** Where a [dune] file in OCaml has the word. *)

val in_makefile : string
val in_lock : string
val of_label : string -> (bool * string) option

val of_other : string -> (bool * string) option
(** Of what else such programs use, by its full name. *)

val number_of_domain : string
(** Where the number of the calling domain is made an [int], which is an index mostly. *)
