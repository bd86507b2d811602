(** The end of a pool.

    In steps: no new work from outside; wait until every worker is listed as asleep and all queues are empty
    (the closing thread works along if the slot is free); then end the fibers that still wait, with
    {!Weft_scheduler.Pool_state.Closed}, and again, until there are none; keep the slot; end the domains. *)

val idle : Pool_state.t -> unit -> unit
(** What a worker that is about to wait calls: it may be what the closing thread waits for. *)

val close : Pool_state.t -> string -> unit
(** [close p who]: see [Weft.Pool.close]. *)

val apart : Pool_state.t -> (unit -> unit) -> unit
(** [apart p f] has [f ()], which closes [p], called apart from its caller ({!Domain_start.start_apart}), and
    does not wait. *)

val use_and_close : Pool_state.t -> string -> (unit -> 'a) -> 'a
(** [use_and_close p who f] is [f ()], then {!close} whatever happened; but if a signal's exception has taken
    a caller away from a call that goes on ([Sys.Break] while it waited), [p] is closed in the background. *)
