type t = unit

let make () = ()
let is_put_off () ~top:_ ~now:_ = false
