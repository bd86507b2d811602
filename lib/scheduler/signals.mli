(** Signals are cancellation: which computation gets a signal, and where its handler runs.

    {b Computations.} A call that enters Weft from outside is a {e computation} until it returns: [run] and
    every call that enters a pool, and a thread's wait for something of a pool. A signal goes to the
    computation that the program's first thread has entered, else to the oldest; but not to one whose thread
    masks it. Where there is none, its handler runs as in OCaml: at once, in the thread that got it; if that
    is a thread of ours, it sends the signal on to the first thread.

    {b Polls.} The recorder ({!Weft_platform.Handlers}) adds the signal to those that are {e pending} for the
    computation, and requests a poll: the workers of its pool are preempted, and its thread is unparked. The
    first to poll, a worker of the pool or the calling thread, runs the pending handlers, one poller at a
    time, in the order in which the signals came. These poll: forks, blocks of loops, waits and {!Poll.check}
    in a fiber whose worker is preempted; a fiber that a worker queues when it finds the signal between two
    jobs or after a sleep; and the calling thread after each sleep. A handler may wait. Until it ends, no
    later handler runs and the call does not return. Its effects are refused, since the task that polls has
    nothing to do with them.

    {b States} of a computation, moved by its one poller:
    {v
    Running --a handler raises--> Cancelling --another one raises--> Left
       \--a handler raises, there is no [stop]-----------------------/
    v}
    When it becomes [Cancelling], [stop] cancels what it runs; when that has ended, whatever its outcome, the
    caller raises the handler's exception. When it becomes [Left], the caller leaves at once, and the tasks
    end by themselves. A SIGINT that comes after that, or while another one has been pending for 0.1 s because
    nobody polls, ends the process.

    {b Nobody is lost.} A computation that ends takes the poller's role for good, closes, and then passes on
    the signals that are still pending, as if they came only now. A recorder adds to [pending] and then looks
    whether the computation has closed; the computation closes and then takes what is pending: one of them
    sees the other. *)

type t

val enter :
  ?home:Job.home -> ?stop:(exn -> unit) -> ?parker:Parker.t -> wake:(unit -> unit) -> (t -> 'a) -> 'a
(** [enter ~home ~stop ~wake f] is [f c], where [c] is the computation of the calling thread, which must be no
    worker; then the pending handlers run. The workers of [home]'s pool poll for it. The poller calls
    [stop exn], once, to cancel what it runs; without [stop], the computation can only be left. [wake ()]
    makes the pool's workers and the calling thread look; recorders call it, so it must neither wait nor
    raise. A handler that somebody else runs may call [exit]: with [parker], that waits for the functions of
    this domain ({!Weft_platform.Exit_functions.while_waiting}).

    If a handler raised, that exception is raised, whatever [f] did. *)

val poll : t -> unit
(** Runs the handlers of what is pending. Raises nothing. *)

val poll_queued : t -> Outside_waiters.t -> unit
(** {!poll}, by a waiting thread that may be the one that looks at the pools ({!Outside_waiters}): handlers
    may take long, so it leaves that queue first if there are any to run. *)

val poll_for : Job.home -> unit
(** By a fiber: polls for the computations in its pool. *)

val is_pending : Job.home -> bool
(** Whether {!poll_for} has something to do that nobody is doing yet. One load if nothing is pending anywhere.
*)

exception Gone
(** [f] may raise this when its thread has left at once: {!enter} raises the handler's exception. *)

val is_left : t -> bool
(** Whether its thread shall leave at once. One load. *)

val set_working : t -> bool -> unit
(** Whether the calling thread is a worker of the pool at the moment. *)

val must_leave_slot : Job.home -> bool
(** Whether the thread in the slot of that pool shall leave at once: then the fiber on it gives way. *)

val aside : (unit -> 'a) -> 'a
(** [aside f] is [f ()], in a thread of ours: no handler runs in it. *)

val computations : unit -> int
(** How many there are. *)
