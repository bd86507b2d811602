external now : unit -> (int[@untagged]) = "weft_ticks_boxed" "weft_ticks" [@@noalloc]
external pause : (int[@untagged]) -> unit = "weft_pause_boxed" "weft_pause" [@@noalloc]
