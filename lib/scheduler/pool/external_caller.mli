(** Calls from outside: how a thread that is no worker runs something in a pool, or waits for it.

    The caller of {!run_outside} takes the pool's slot ({!External_slot}) and works until its own job is
    settled. If the slot is taken, it queues its job in the injector and blocks; when the slot becomes free,
    one of those who wait is woken to take it. *)

val run_outside : Pool_state.t -> (unit -> 'a) -> stop:(exn -> unit) -> string -> 'a
(** [run_outside p f ~stop who] calls [f ()] in a task of [p], for the calling thread, which must be no
    worker, and returns its result. [stop exn] is called if a signal's handler raises: it must cancel [f ()]
    ({!Signals.enter}). *)

val await_in : Pool_state.t -> 'a Job.t -> unit
(** [await_in p j] waits until [j], of any pool, is settled. The calling thread, which is no worker, works in
    [p] meanwhile whenever the slot is free, and blocks otherwise. *)

val computing :
  ?stop:(exn -> unit) -> Pool_state.t -> parker:Parker.t -> now:Parker.t Atomic.t -> (Signals.t -> 'a) -> 'a
(** {!Signals.enter} for a thread that waits with the parker that [now] holds, at first [parker], and may work
    in the slot. If the program ends meanwhile, its end waits for the domain's functions
    ({!Weft_platform.Exit_functions.while_waiting}). *)
