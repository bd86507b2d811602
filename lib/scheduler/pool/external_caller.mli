(** How threads become workers of a pool, and how work comes in from outside.

    {b The seat.} A pool of [n] domains has [n] workers: [n - 1] run in domains of the pool's own; worker 0 is
    a place, the seat, for a thread from outside. Whoever calls {!run_outside} sits down and works until its
    own job is settled. If the seat is taken, it queues its job in the injector and blocks; when the seat
    becomes free, one who waits is woken to take it. On leaving, what is left in the seat's deque moves to the
    injector. Should all workers wait for threads from outside, extra ones come: {!Extra_workers}.

    {b Nobody there.} If a pool has no domains of its own (one domain asked for, or none to be had) and the
    seat is free, then work that comes in from outside, or is left by a leaver, starts a {e resident}: a
    domain, or if there is none to be had a system thread, that takes the seat until there is nothing more to
    do. Then it rests beside the seat, in nobody's way, for as long as a worker waits before it retires
    ({!patience}); and takes the seat again if more comes. Extra workers are residents too, in places of their
    own. *)

val seat : Pool_state.t -> Worker.t
(** Worker 0. *)

val try_sit : ?first:Job.task -> ?admitted:(unit -> unit) -> Pool_state.t -> until:(unit -> bool) -> bool
(** [try_sit p ~until] is [false] if the seat is taken; else the calling thread, which must be no worker, is
    worker 0 until [until ()] (see {!Worker_loop.work}), and it is [true]. [admitted ()] may raise to refuse,
    under the pool's lock; [first] is run first. *)

val patience : float Atomic.t
(** So many seconds a worker of the pool's own domains waits before it retires; and up to sixteen times as
    many, if it was respawned again soon. Tests make it shorter; for domains that are started afterwards. *)

val start_domain_of : Pool_state.t -> Worker.t -> respawned:bool -> backtraces:bool -> (unit, exn) result
(** Starts a domain that is this worker until the pool ends, or there has been nothing to do for some
    milliseconds: then it retires ({!Sleep}). *)

val warn_of_spawn_failure : asked:int -> got:int -> exn -> unit
(** Once per process. *)

val settle : Pool_state.t -> Worker.t -> unit
(** For {!Worker.type-parts}: the calling domain has the pool's minor heap; in the seat, until the thread
    leaves. *)

val respawn : Pool_state.t -> Worker.t -> backtraces:bool -> unit -> bool
(** For {!Sleep.respawn}. *)

val start_domain :
  ?minor_heap:Minor_heap.choice -> ?settled:bool -> backtraces:bool -> masked:Signal_mask.t -> unit -> unit
(** What a domain of ours does first; [backtraces]: whether it is to record them; unless [settled] (the
    default), the minor heap is to be set later, by {!settle}. It masks the signals [masked]: what it inherits
    are those of {!with_signals_masked}. *)

val start_apart :
  ?minor_heap:Minor_heap.choice ->
  ?no_domain:(unit -> unit) ->
  Runtime_threads.domain ->
  masked:Signal_mask.t ->
  (unit -> unit) ->
  unit
(** [start_apart d ~masked main] has [main ()] called in [d], as {!Weft_platform.Runtime_threads.start} does;
    or if there is no domain to be had, after [no_domain ()], on a thread of the calling domain. What is to
    run beside its caller, and may outlast it, goes there: a domain does not end before its threads, and the
    program may wait for that end. It masks the signals [masked], and no handler runs in it
    ({!Signals.aside}). To be called in {!with_signals_masked}. If it raises, [main] is not called. *)

val work_as :
  ?prepare:(unit -> unit) ->
  ?respawned:bool ->
  ?gone:bool ref ->
  Pool_state.t ->
  Worker.t ->
  (unit -> unit) ->
  unit
(** [work_as p w work]: the calling thread is worker [w] of [p] while it does [work ()], then leaves, and what
    is left in the deque moves to the injector. [prepare ()] comes first; [respawned]: it is counted already;
    [gone]: whether it has retired. *)

val ensure_somebody : Pool_state.t -> unit
(** To be called after a thread has left: if there is work, somebody shall be there. Never waits. *)

val answer_calls : Pool_state.t -> unit
(** Under the pool's lock, after something was added to {!Pool_state.type-t.calls}: each gets a resident that
    rests, or a new one ({!start_apart}). An exception that ends the work is told of. *)

val with_signals_masked : (Signal_mask.t -> 'a) -> 'a
(** [with_signals_masked f] is [f masked] with no handler running in the calling thread, for starting domains
    and threads; [masked]: the signals that the thread has masked itself. *)

(** {1 Work from outside} *)

val check_open : Pool_state.t -> string -> unit
(** @raise Invalid_argument in the name given, if the pool is closed. *)

val queue : Pool_state.t -> Job.task -> unit
(** Puts a job into the injector. From any thread and signal handler. *)

val find_somebody : ?more:bool -> Pool_state.t -> unit
(** To be called after {!queue}: somebody shall look at the injector; [more]: it was not empty before. Never
    waits; may be called again. *)

val run_outside : Pool_state.t -> (unit -> 'a) -> stop:(exn -> unit) -> string -> 'a
(** [run_outside p f ~stop who] is [f ()], called in a task of [p], for the calling thread, which must be no
    worker. [stop exn] is called if a signal's handler raises: it is to cancel [f ()] ({!Signals.enter}). *)

val await_in : Pool_state.t -> 'a Job.t -> unit
(** [await_in p j] has the calling thread, no worker, work along in [p] if the seat is or gets free, or else
    blocks it, until [j], of any pool, is settled. *)

val computing : ?stop:(exn -> unit) -> Pool_state.t -> now:Parker.t Atomic.t -> (Signals.t -> 'a) -> 'a
(** {!Signals.enter} for a thread that waits with the parker that [now] holds, and may work in the seat. *)
