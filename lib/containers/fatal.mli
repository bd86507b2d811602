(** Exceptions that are no operation's own, wherever they come up: nothing is tried again because of them. *)

val is : exn -> bool
(** [Sys.Break], [Out_of_memory], [Stack_overflow]. *)
