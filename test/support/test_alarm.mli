(** Tests of [Weft_support.Alarm], and of what it needs of [Parker]. *)
