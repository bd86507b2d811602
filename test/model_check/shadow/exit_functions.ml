let while_waiting _ f = f ()
let are_due () = false
let run_if_due = ignore
