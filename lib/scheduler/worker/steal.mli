(** Where a worker looks for its next job: at the bottom of its own deque, then in the injector, in the
    others' deques, and in the background. Every 64th time it looks in the injector first, every 64th time at
    the top of its own deque, and every 256th time in the background: so jobs that keep coming at the bottom
    starve nothing. *)

val next_job : Worker.t -> Job.task
(** From its own deque, or from the injector; {!Job.nil} if there is nothing. *)

val from_injector : Worker.t -> Job.task

val search : Worker.t -> Job.task
(** By a worker that found nothing; takes some ten microseconds. The thief begins with a random victim and
    steals the oldest job of the first that has one, if {!Steal_backoff} permits. *)

val ready : Worker.t -> Job.task list
(** All jobs in the queues of a worker that is alone in its pool, oldest first; they stay, in its deque. *)

val is_time : Worker.t -> bool
(** Whether there is a timer for {!pass_time}. *)

val pass_time : Worker.t -> bool
(** In a program that is explored: lets time pass to the next timer, and runs it; unless there is none, or the
    program waits for something outside. *)
