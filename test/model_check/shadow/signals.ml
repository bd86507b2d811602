type t = unit

let enter ~parker:_ ~wake:_ f = f ()
let poll_queued () _ = ()
let poll_for _ = ()
let is_pending _ = false
let is_left () = false
let must_leave_slot _ = false
