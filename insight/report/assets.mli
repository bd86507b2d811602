val page : string
val style : string
val script : string
