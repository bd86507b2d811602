external change : int -> unit = "weft_exit_code_change" [@@noalloc]
