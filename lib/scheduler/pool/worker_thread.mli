(** A thread that is a worker of a pool, for a while. *)

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

(** {1 Keep-alive} *)

val keep_alive : float Atomic.t
(** So many seconds a worker of the pool's own domains waits before it retires; and up to sixteen times as
    many, if it was respawned again soon. Tests make it shorter; for domains that are started afterwards. *)

val adapt_keep_alive : Worker.t -> respawned:bool -> unit
(** By a worker that begins: sets how long it is to wait. *)
