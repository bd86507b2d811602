(** Work from outside: how a thread that is no worker runs something in a pool, or waits for it.

    Whoever calls {!run_outside} takes the pool's slot ({!External_slot}) and works until its own job is
    settled. If the slot is taken, it queues its job in the injector and blocks; when the slot becomes free,
    one who waits is woken to take it. *)

val run_outside : Pool_state.t -> (unit -> 'a) -> stop:(exn -> unit) -> string -> 'a
(** [run_outside p f ~stop who] is [f ()], called in a task of [p], for the calling thread, which must be no
    worker. [stop exn] is called if a signal's handler raises: it is to cancel [f ()] ({!Signals.enter}). *)

val await_in : Pool_state.t -> 'a Job.t -> unit
(** [await_in p j] has the calling thread, no worker, work along in [p] if the slot is or gets free, or else
    blocks it, until [j], of any pool, is settled. *)

val computing : ?stop:(exn -> unit) -> Pool_state.t -> now:Parker.t Atomic.t -> (Signals.t -> 'a) -> 'a
(** {!Signals.enter} for a thread that waits with the parker that [now] holds, and may work in the slot. *)
