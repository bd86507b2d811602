(** Tests of [Weft_scheduler.Timers]. *)
