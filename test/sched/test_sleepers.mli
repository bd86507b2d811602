(** Tests of [Weft_sched.Sleepers] without threads: moves in orders that are rare. *)
