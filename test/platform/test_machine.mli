(** Tests of [Weft_platform.Machine], on made-up trees of files. *)
