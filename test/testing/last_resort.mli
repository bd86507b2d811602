(** Ends the program where no OCaml code can, the watchdog's included: a domain never gives up its lock, or a
    stop-the-world collection never ends. A thread in C counts, and knows nothing of OCaml. *)

val end_after : float -> unit
(** [end_after seconds] ends the program with SIGABRT, after a line on standard error, in so many seconds, a
    second more or less. The last call counts. With [infinity] it does not end. *)
