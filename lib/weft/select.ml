type 'a case = 'a Choice.t

let recv c f = Choice.recv (Chan.Private.to_channel c) f
let send c v f = Choice.send (Chan.Private.to_channel c) v f
let await p f = Choice.await (Promise.Private.to_job p) f
let lock = Choice.lock

let timeout seconds f =
  Timers.check_seconds ~who:"Weft.Select.timeout" seconds;
  Choice.After (seconds, f)

let select cases =
  match cases with
  | [] -> invalid_arg "Weft.Select.select: no cases"
  | cases -> Choice.choose ~what:"Weft.Select.select" cases

let poll cases = Choice.poll cases
