(** Ctrl-C: a run that is ended keeps what has been measured.

    At the first SIGINT or SIGTERM, what has been measured is reported and the process ends; a second signal
    ends it at once. Nothing is unwound: the computation that the signal interrupts is left where it is, with
    its domains and threads, whatever they wait for. So a signal need not wait for a run of minutes, and no
    benchmark has to know of signals.

    Both signals wait while code neither allocates nor loops, since OCaml does not look for signals there: the
    sequential [fib] and [dfs] run to their end.

    The handler may run on any thread. So the program uses {!amid} to say where it may be left: where nothing
    of the harness is half done. Elsewhere the signal waits for the next such place, which is never far. *)

val exit_code : int
(** 130, as shells do for SIGINT. *)

val guarded : report:(unit -> unit) -> (unit -> 'a) -> 'a
(** [guarded ~report f] is [f ()]. If SIGINT or SIGTERM comes before [f] has ended, [report] is called once,
    in the middle of a run or after it, and the process exits with {!exit_code}, whatever [report] raises.
    Signals that this process has been told to ignore stay ignored. Calls must not be nested. *)

val at_end : (unit -> unit) -> unit
(** [at_end f] makes a signal that ends the process call [f]. The functions of [at_exit] are not called then,
    since domains and threads may be in the middle of anything. *)

val amid : (unit -> 'a) -> 'a
(** [amid f] is [f ()], which a signal may leave at any point. Outside {!guarded} it just calls [f]. *)

val whole : (unit -> 'a) -> 'a
(** [whole f] is [f ()], which a signal does not leave in the middle, though it is called by the thread that
    called {!amid}: [f] makes a file, say, and notes it for {!at_end}. It should not take long. *)
