(** Calls of threads outside of pools, where a signal's handler may raise.

    No handler runs in the middle of a call: between posting a request and watching it, or between the arrival
    of a message and its receive, an exception would lose a message, or the memory that MPI writes. A call is
    a computation ({!Weft_scheduler.Signals}) whose handlers run while the thread is blocked. What a handler
    raises ends the call as cancellation ends that of a fiber. If the call has to go on to its end, or its
    message has come, the exception is raised by the thread's next call ({!check}). *)

val uninterrupted : (unit -> 'a) -> 'a
(** [uninterrupted f] is [f ()], which does not wait. *)

val complete : Pending.t -> give_up:(exn -> unit) -> (unit -> unit) -> unit
(** [complete p ~give_up begin_] is [begin_ ()], which posts [p], and blocks the thread until [p] is settled.
    [give_up exn] is called when a handler has raised. *)

val check : unit -> unit
(** Raises what is left from an earlier call of this thread. *)
