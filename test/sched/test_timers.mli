(** Tests of [Weft_sched.Timers]. *)
