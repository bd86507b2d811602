(** Tests of [Weft_sched.Pace], at times that are made up. *)
