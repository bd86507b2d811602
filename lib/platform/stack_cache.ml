external free : unit -> unit = "weft_free_cached_stacks" [@@noalloc]
