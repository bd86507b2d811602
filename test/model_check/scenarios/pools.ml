let outside () = failwith "a scenario called from outside a pool"
let default = outside
let async () _ _ = outside ()
let task () _ = outside ()
let submit () _ _ = outside ()
let run_default _ = outside ()

let await_outside j =
  Suspend.block j;
  Job.get j
