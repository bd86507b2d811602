(** What is ready in a worker's own deque goes to the injector, where all look. *)

val hand_over : Worker.t -> bool
(** By a worker that was called: what is ready in its own deque, and would wait there for the end of what this
    worker is in the middle of, goes to the injector, where all look: the fibers that were resumed, and one
    task that nobody has begun, the eldest; the next task when that one has ended, or 20 ms later, since tasks
    that compute for long are better run one after the other. Forks stay: who has made them will come. At most
    every 2 ms, and for a twentieth of the time. Some nanoseconds for each job of the deque. Whether it
    looked, and there is something in the injector. *)

val hand_over_all : Worker.t -> unit
(** All of it: before a worker sleeps although it has jobs, because there is no room for it. *)
