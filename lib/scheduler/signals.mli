(** Signals are cancellation: which computation gets one, and where its handler runs.

    {b Computations.} A call that enters Weft from outside is a {e computation} until it returns: [run] and
    every call that enters a pool, and a thread's wait for something of a pool. A signal goes to the one that
    the program's first thread has entered, else to the eldest; but not to one whose thread masks it. Where
    there is none, its handler runs as in OCaml: at once, in the thread that got it; if that is a thread of
    ours, the signal is sent on to the first thread.

    {b Polls.} The recorder ({!Weft_platform.Handlers}) puts the signal among those that are {e pending} for
    the computation, and requests a poll: the deques of its pool are called, and its thread is unparked.
    Whoever polls next, a worker of the pool or the calling thread, runs the handlers that are pending, one
    poller at a time, in the order in which the signals came. The polls: forks, blocks of loops, waits and
    {!Poll.check} in a fiber whose deque is called; a fiber of its own, which a worker that finds the signal
    between two jobs or after a sleep puts into the queue; the calling thread after each sleep. So a handler
    may wait: it holds up those that come after it, and the return of the call. Its effects are refused: the
    task that polls has nothing to do with them.

    {b States} of a computation, moved by its one poller:
    {v
    Running --a handler raises--> Cancelling --another one raises--> Left
       \--a handler raises, and it can only be left-----------------/
    v}
    When it becomes [Cancelling], [stop] cancels what it runs; the caller raises the exception when that has
    ended, whatever it came to. When it becomes [Left], the caller leaves at once, and the tasks end by
    themselves. SIGINT ends the process if it comes after that, or while another one has been pending for
    {!sigint_window}: nobody polls.

    {b Nobody is lost.} A computation that ends takes the poller's place for good, closes, and then passes on
    what is still pending, as if it came only now. A recorder adds to [pending] and then looks whether the
    computation has closed; who closes sets that and then takes what is pending: one of them sees the other.
*)

type t

val sigint_window : int
(** 0.1 s, in nanoseconds: SIGINTs that come closer together are one. *)

val enter : ?home:Job.home -> ?stop:(exn -> unit) -> wake:(unit -> unit) -> (t -> 'a) -> 'a
(** [enter ~home ~stop ~wake f] is [f c], the computation of the calling thread, which must be no worker; then
    the handlers of what is pending. [home] is that of the pool whose workers poll for it. [stop exn], called
    once, by the poller, cancels what it runs; without it, it can only be left. [wake ()] has the pool's
    workers and the calling thread look; it is called by recorders, and must neither wait nor raise.

    If a handler raised, that exception is raised, whatever [f] did. *)

val poll : t -> unit
(** Runs the handlers of what is pending. Raises nothing. *)

val poll_in_line : t -> Outside_waiters.t -> unit
(** {!poll}, by a thread that waits and may be the one that looks out: handlers may take long, so it leaves
    the line first if there are any to run. *)

val poll_for : Job.home -> unit
(** By a fiber: those of the computations in its pool. *)

val is_pending : Job.home -> bool
(** Whether {!poll_for} has something to do, which nobody does yet. One load if nothing is pending anywhere.
*)

exception Gone
(** What [f] may raise when its thread has left at once: {!enter} raises the handler's exception. *)

val is_left : t -> bool
(** Whether its thread is to leave at once. One load. *)

val set_working : t -> bool -> unit
(** Whether the calling thread is a worker of the pool at the moment. *)

val must_leave_slot : Job.home -> bool
(** Whether the thread in the slot of that pool is to leave at once: the fiber on it gives way. *)

val aside : (unit -> 'a) -> 'a
(** [aside f] is [f ()], in a thread of ours: no handler runs in it. *)

val computations : unit -> int
(** How many there are. *)
