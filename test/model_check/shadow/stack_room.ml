let step = 0
let call = 0
let deep = 0
let ensure _ = ()
