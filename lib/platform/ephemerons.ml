external sweep_at_end_of_domains : unit -> unit = "weft_sweep_ephemerons_at_end" [@@noalloc]
