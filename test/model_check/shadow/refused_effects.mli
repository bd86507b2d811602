val within : why:string -> ('a -> 'b) -> 'a -> 'b
