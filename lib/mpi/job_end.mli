(** How a job of several ranks ends: all together, or all at once.

    {b Together.} MPI must be finalized by all ranks. A rank that comes to the end of its program meets the
    others first, on a communicator of this module's own; so does each rank at the beginning of each
    {!Weft_mpi.run}. If some ranks are at their end and others begin a run, the run cannot work: the job ends,
    with a line on standard error. A rank that waits long for the others at its end prints a line, once, and
    goes on waiting: they may have work of their own. In the same message, ranks compare digests of the files
    of their programs at the beginning of each run: ranks of different programs would take each other's
    messages for something else.

    {b At once.} An exception that leaves {!Weft_mpi.run}, or the whole program, is reported and ends the job.
    For the latter, OCaml's function for uncaught exceptions is replaced: it would call the functions of
    [at_exit] first, where this rank would wait for the others. *)

val init : Raw.comm -> rank:int -> size:int -> unit
(** [init world ~rank ~size], once MPI is initialized. Waits for all ranks. *)

val begin_run : unit -> unit
(** Waits for all ranks; if they run different programs, ends the job. Not cancellable. *)

val wait_for_all : unit -> unit
(** Waits until all ranks have come to their end. Called by the function of [at_exit] that finalizes MPI.
    Blocks the thread. *)

val is_over : unit -> unit
(** Says that MPI is about to be finalized: from now on the functions above do nothing. *)

val fail : exn -> Printexc.raw_backtrace -> 'a
(** Reports the exception and ends the job; with one rank, raises it. *)

val abort : int -> 'a
(** Ends all ranks at once, with this exit code. *)

val set_patience : float -> unit
(** For tests: [set_patience s] makes a rank that waits at its end print its line after [s] seconds (60 unless
    set). *)
