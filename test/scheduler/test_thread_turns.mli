(** Tests of [Weft_scheduler.Thread_turns], at times that are made up. *)
