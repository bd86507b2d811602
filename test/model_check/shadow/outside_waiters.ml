type t = Parker.t

let place parker = parker
let while_queued _ f = f ()

let park parker seconds =
  ignore (if seconds = infinity then Parker.park parker else Parker.park_for parker seconds : Parker.outcome)

let leave = ignore
let wake = ignore
