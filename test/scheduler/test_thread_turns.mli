(** Tests of [Weft_scheduler.Steal_backoff], at times that are made up. *)
