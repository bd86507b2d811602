(** Tests of [Weft_scheduler.Sleep] without threads: moves in orders that are rare. *)
