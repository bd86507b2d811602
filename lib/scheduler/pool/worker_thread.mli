(** A thread that is a worker of a pool, for a while. *)

val work_as :
  ?prepare:(unit -> unit) ->
  ?respawned:bool ->
  ?gone:bool ref ->
  Pool_state.t ->
  Worker.t ->
  (unit -> unit) ->
  unit
(** [work_as p w work]: the calling thread becomes worker [w] of [p], calls [prepare ()] and [work ()], and
    leaves; the jobs left in its deque move to the injector. [respawned]: the worker is counted already;
    [gone]: set when it has retired. *)

(** {1 Keep-alive} *)

val keep_alive : Idle_period.limits Atomic.t
(** How long a worker without work waits before it retires. [least] becomes up to sixteen times as long if it
    was respawned again soon. Tests make it shorter; for domains that are started afterwards. *)

val adapt_keep_alive : Worker.t -> respawned:bool -> unit
(** By a worker that begins: sets how long it waits before it retires. *)
