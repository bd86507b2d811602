external free_domain_stacks : unit -> unit = "weft_free_cached_stacks" [@@noalloc]
