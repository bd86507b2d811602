(** Waiting for a job, inside a pool and outside.

    What suspends the calling fiber keeps its bindings on the fiber's stack meanwhile, see {!Locals}. *)

val join : 'a Job.t -> 'a
(** [join j] is the outcome of the fork [j], which was taken by another worker. Suspends the calling fiber
    unless [j] is settled; whoever settles it continues the fiber on the spot. *)

val suspend : 'a Job.t -> 'a
(** [suspend j] is the outcome of [j]. Suspends the calling fiber, of any pool, unless [j] is settled. *)

val run_in_place : Job.task Deque.t -> 'a Job.t -> 'a
(** [run_in_place deque j] runs the task [j], which the caller has claimed, in the calling fiber, whose
    worker's deque is [deque]; with the bindings of the task's maker, not of the caller. *)

val yield : unit -> unit
(** Queues the calling fiber at the end of its pool's injector. *)

val block : 'a Job.t -> unit
(** [block j] blocks the calling thread, which is no worker, until [j] is settled. Signal handlers run
    meanwhile. *)
