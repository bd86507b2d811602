let step = 0
let call = 0
let ensure _ = ()
