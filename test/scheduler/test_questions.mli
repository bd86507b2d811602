(** Tests of [Weft_scheduler.Questions]. *)
