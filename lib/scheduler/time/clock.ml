type timer = { timers : Timers.t; timer : Timers.timer }

let now () = Timers.seconds (Timer_thread.now ())

let at ?holds moment f =
  match Worker.current () with
  | None -> invalid_arg "Weft: internal error: a timer outside a pool"
  | Some w ->
      Stack_room.(ensure call);
      let timer = Timers.add ?holds w.parts.timers ~at:moment f in
      Respawn.alarm_needed w.parts.sleepers;
      { timers = w.parts.timers; timer }

let forget { timers; timer } = ignore (Timers.cancel timers timer)
let after ~who seconds = Timers.deadline ~who seconds
let moment ~who seconds = Timers.moment ~who seconds
