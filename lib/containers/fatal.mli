(** Exceptions that are no operation's own, wherever they come up: nothing is tried again because of them.

    {b Cost.} O(1). *)

val is : exn -> bool
(** [Sys.Break], [Out_of_memory], [Stack_overflow]. *)
