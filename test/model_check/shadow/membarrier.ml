let by_owner = false
let full () = ()
let heavy () = ()
