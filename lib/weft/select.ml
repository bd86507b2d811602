type 'a case = 'a Select_cases.t

(* --- cases --- *)

let recv c f = Select_cases.recv (Chan.Private.to_channel c) f
let send c v f = Select_cases.send (Chan.Private.to_channel c) v f
let await p f = Select_cases.await (Promise.Private.to_job p) f
let lock = Select_cases.lock
let ivar i f = Select_cases.put_once (Ivar.Private.to_write_once i) f
let latch = Select_cases.latch
let take = Select_cases.take
let put = Select_cases.put
let read = Select_cases.read
let acquire = Select_cases.acquire
let condition = Select_cases.condition

let timeout seconds f =
  Timers.check_seconds ~who:"Weft.Select.timeout" seconds;
  Select_cases.After (seconds, f)

(* --- making cases of cases --- *)

let wrap = Select_cases.wrap
let guard f = Select_cases.Guard f
let always = Select_cases.always
let never = Select_cases.never

(* --- selecting --- *)

let choose what ~in_order cases =
  match cases with
  | [] -> invalid_arg (what ^ ": no cases")
  | cases -> Select_cases.choose ~what ~in_order cases

let select cases = choose "Weft.Select.select" ~in_order:false cases
let select_in_order cases = choose "Weft.Select.select_in_order" ~in_order:true cases
let try_select cases = Select_cases.poll ~what:"Weft.Select.try_select" ~in_order:false cases
let try_select_in_order cases = Select_cases.poll ~what:"Weft.Select.try_select_in_order" ~in_order:true cases
let poll cases = Select_cases.poll ~what:"Weft.Select.poll" ~in_order:false cases
let poll_in_order cases = Select_cases.poll ~what:"Weft.Select.poll_in_order" ~in_order:true cases
