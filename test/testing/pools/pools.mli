(** Adds to the {!Testing.Watchdog}'s report, for each pool: what each worker does, what its deque holds, and
    what the pool's suspended fibers wait for. There is nothing to call. *)
