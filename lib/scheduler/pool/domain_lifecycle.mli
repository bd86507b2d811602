(** The domains of a pool's own: how they start, retire, and are replaced. *)

val start : Pool_state.t -> Worker.t -> respawned:bool -> backtraces:bool -> (unit, exn) result
(** Starts a domain that is this worker until the pool ends, or there has been nothing to do for a while
    ({!Idle_period}): then it retires ({!Sleep}). *)

val respawn : Pool_state.t -> Worker.t -> backtraces:bool -> unit -> bool
(** For {!Sleepers.sleeper.respawn}. *)

val warn_of_spawn_failure : asked:int -> got:int -> exn -> unit
(** Once per process. *)
