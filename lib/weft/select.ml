type 'a case = 'a Choice.t

(* --- cases --- *)

let recv c f = Choice.recv (Chan.Private.to_channel c) f
let send c v f = Choice.send (Chan.Private.to_channel c) v f
let await p f = Choice.await (Promise.Private.to_job p) f
let lock = Choice.lock
let ivar i f = Choice.put_once (Ivar.Private.to_write_once i) f
let latch = Choice.latch
let take = Choice.take
let put = Choice.put
let read = Choice.read
let acquire = Choice.acquire
let condition = Choice.condition

let timeout seconds f =
  Timers.check_seconds ~who:"Weft.Select.timeout" seconds;
  Choice.After (seconds, f)

(* --- making cases of cases --- *)

let wrap = Choice.wrap
let guard f = Choice.Guard f
let always = Choice.always
let never = Choice.never

(* --- selecting --- *)

let choose what ~in_order cases =
  match cases with [] -> invalid_arg (what ^ ": no cases") | cases -> Choice.choose ~what ~in_order cases

let select cases = choose "Weft.Select.select" ~in_order:false cases
let select_in_order cases = choose "Weft.Select.select_in_order" ~in_order:true cases
let poll cases = Choice.poll ~what:"Weft.Select.poll" ~in_order:false cases
let poll_in_order cases = Choice.poll ~what:"Weft.Select.poll_in_order" ~in_order:true cases
