(** Adds to the {!Testing.Watchdog}'s report, for each pool: what each worker does, what lies in its deque,
    and what the pool's suspended fibers wait for. There is nothing to call. *)
