(** Tests of [Weft_platform.Timer_thread], and of the part of [Parker] that it needs. *)
