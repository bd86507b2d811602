(** Exceptions that may come up anywhere and say nothing about the operation that raises them: nobody tries
    the operation again in another way because of them.

    {b Cost.} O(1). *)

val is : exn -> bool
(** Whether it is [Sys.Break], [Out_of_memory] or [Stack_overflow]. *)
