(** Tests of [Weft_scheduler.Worker_throttle]. *)
