(** Where a worker looks for its next job: the bottom of its own deque, then the injector, then the others'
    deques, then the background. Every 64th time it looks at the injector first, every 64th time at the top of
    its own deque, and every 256th time at the background: so nothing starves behind jobs that keep coming at
    the bottom. *)

val own : Worker.t -> Job.task
(** From its own deque, or from the injector; {!Job.nil} if there is nothing. *)

val from_injector : Worker.t -> Job.task

val search : Worker.t -> Job.task
(** Some ten microseconds, by a worker that found nothing. A thief begins with a victim by chance and takes
    the oldest job of the first that has any, {!Steal_backoff} permitting. *)
