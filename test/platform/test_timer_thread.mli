(** Tests of [Weft_platform.Timer_thread], and of what it needs of [Parker]. *)
