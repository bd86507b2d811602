(** A worker hands jobs of its own deque to the injector, where all workers look. *)

val hand_over : Worker.t -> bool
(** By a worker that was preempted. Jobs in its own deque would wait for the end of what it is doing, so it
    moves to the injector all fibers that were resumed, and the oldest task that has not begun. The next task
    follows when that one has ended, or 20 ms later, since tasks that compute for long are better run one
    after the other. Forks stay: their makers will pop them. It does so at most every 2 ms, and later by a
    microsecond for each job of the deque; a look costs some nanoseconds for each. Returns whether it looked
    and the injector is not empty. *)

val hand_over_before_sleep : Worker.t -> unit
(** Hands over all jobs but forks, before a worker sleeps with jobs in its deque, because there is no room for
    it. Of the forks, the oldest follows once in {!longest_wait}: if the fiber that made it waits for it,
    nobody else will run it. If all forks went, each would become a fiber of its own and take turns with all
    others. *)

val longest_wait : int
(** Nanoseconds. So long the oldest job of a deque may wait behind others while there is no room for thieves:
    0.2 s. *)
