(** What is ready in a worker's own deque goes to the injector, where all look. *)

val hand_over : Worker.t -> bool
(** By a worker that was called: what is ready in its own deque, and would wait there for the end of what this
    worker is in the middle of, goes to the injector, where all look: the fibers that were resumed, and one
    task that nobody has begun, the eldest; the next task when that one has ended, or 20 ms later, since tasks
    that compute for long are better run one after the other. Forks stay: who has made them will come. At most
    every 2 ms, and for a twentieth of the time. Some nanoseconds for each job of the deque. Whether it
    looked, and there is something in the injector. *)

val hand_over_all : Worker.t -> unit
(** All of it but forks: before a worker sleeps although it has jobs, because there is no room for it. Of the
    forks the eldest follows, once in {!longest_wait}: if the fiber that has made it waits for it, nobody else
    will come. If all went, each would be a fiber of its own, and take its turn. *)

val longest_wait : int
(** How long the eldest job of a deque may wait behind others while there is no room for thieves: 0.2 s, in
    nanoseconds. *)
