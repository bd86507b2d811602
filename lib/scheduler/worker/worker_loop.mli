(** The worker's loop.

    A worker is a system thread that takes a job, runs it in a fresh fiber, and takes the next one. A fiber
    that must wait performs [Fiber_stack.Suspend]; the loop then goes on with other work on its own stack, so
    no job ever runs on top of one that waits. *)

val work : Worker.t -> until:(unit -> bool) -> unit
(** [work w ~until] runs jobs on the calling thread, which must be attached, until [until ()]. [until] is
    asked between jobs and before each wait: whoever makes it true must {!Weft_platform.Parker.unpark} the
    worker's parker then. *)

type retire = {
  after : Idle_period.limits;  (** how long without anything to do *)
  leave : unit -> Respawn.leave;  (** called then; [Gone]: the calling thread is this worker no more *)
}

val work_elastic : Worker.t -> until:(unit -> bool) -> retire -> unit
(** Likewise, or until the worker has retired. *)

val return : Worker.t -> until:(unit -> bool) -> retire -> unit
(** Likewise, for a worker that has been respawned ({!Sleep}): it begins as one that waits. *)

val execute : Worker.t -> Job.task -> unit
(** [execute w t] runs or continues [t] on the calling thread, which must be attached, unless it is claimed
    already. *)

val size_minor_heap_soon : Worker.t -> unit
(** Calls [size_minor_heap] of its {!Worker.type-parts}, once, after [minor_heap_at]. *)
