(** Waiting for a job, inside a pool and outside. *)

val join : 'a Job.t -> 'a
(** [join j] is the outcome of the fork [j], which was taken by another worker. Suspends the calling fiber
    unless [j] is settled; whoever settles it continues the fiber on the spot. *)

val suspend : 'a Job.t -> 'a
(** [suspend j] is the outcome of [j]. Suspends the calling fiber, of any pool, unless [j] is settled. *)

val run_in_place : 'a Job.t -> 'a
(** [run_in_place j] runs the task [j], which the caller has claimed, in the calling fiber. *)

val yield : unit -> unit
(** Queues the calling fiber at the end of its pool's injector. *)

val block : 'a Job.t -> unit
(** [block j] blocks the calling thread, which is no worker, until [j] is settled. Signal handlers run
    meanwhile. *)
