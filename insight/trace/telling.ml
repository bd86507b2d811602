type t = { from : int; hand_on : Event.t -> unit; mutable events : int }

let create ~from hand_on = { from; hand_on; events = 0 }
let from t = t.from

let add t event =
  t.events <- t.events + 1;
  t.hand_on event

let emit t ~track ~time ?(arguments = []) category name (shape : Event.shape) =
  let tell time shape = add t { Event.time; track; category; name; shape; arguments } in
  if time >= t.from then tell time shape
  else
    match shape with
    | Complete length when time + length > t.from -> tell t.from (Event.Complete (time + length - t.from))
    | Complete _ | Instant | Begin _ | End _ | Counter _ | Flow_out _ | Flow_in _ -> ()

let events t = t.events
let unfinished = ("unfinished", Event.Bool true)
