external now : unit -> (int[@untagged]) = "weft_ticks_boxed" "weft_ticks" [@@noalloc]
