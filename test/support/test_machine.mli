(** Tests of [Weft_support.Machine], on made-up trees of files. *)
