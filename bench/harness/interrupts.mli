(** Ctrl-C: a run that is ended keeps what has been measured.

    The first SIGINT or SIGTERM has what is there reported, and ends the process; a second one ends it at
    once. Nothing is unwound: a computation amid which the signal comes is left where it is, with its domains
    and threads, whatever they wait for. So a signal need not wait for a run of minutes, and no benchmark has
    to know of it.

    The handler may run on any thread. So the program says by {!amid} where it may be left, which is where
    nothing of the harness is half-done; elsewhere the signal waits for the next such place, which is never
    far. *)

val exit_code : int
(** 130, as shells say it of SIGINT. *)

val guarded : report:(unit -> unit) -> (unit -> 'a) -> 'a
(** [guarded ~report f] is [f ()]. If SIGINT or SIGTERM comes before [f] has ended, [report] is called once,
    from amid a run or after it, and the process exits with {!exit_code}, whatever [report] raises. Signals
    that this process has been told to ignore stay ignored. Calls must not be nested. *)

val amid : (unit -> 'a) -> 'a
(** [amid f] is [f ()], which may be left at any point. Outside {!guarded} it is no more than that. *)
