external hand_on_at_end_of_domains : unit -> unit = "weft_hand_on_ephemerons_at_end" [@@noalloc]
