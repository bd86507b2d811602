(** Tests of [Weft_sched.Crowd]. *)
