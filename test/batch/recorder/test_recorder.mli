(** Tests of {!Weft_batch.Recorder}. *)
