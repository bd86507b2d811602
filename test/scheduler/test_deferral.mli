(** Tests of [Weft_scheduler.Deferral], at times that are made up. *)
