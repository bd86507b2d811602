module Trace_hooks = Weft_scheduler.Trace_hooks

type t = { structure : int; size : int; parallel : bool; began : int; ended : int }

let observer : (t -> unit) option Atomic.t = Atomic.make None
let observe = Atomic.set observer
let is_observed () = !Trace_hooks.on || Option.is_some (Atomic.get observer)
let made = Atomic.make 0
let next_structure () = 1 + Atomic.fetch_and_add made 1

let tell span =
  if !Trace_hooks.on then
    !Trace_hooks.listener.batch_ended ~structure:span.structure ~size:span.size ~parallel:span.parallel
      ~nanoseconds:(span.ended - span.began);
  match Atomic.get observer with
  | None -> ()
  | Some f -> ( try f span with e when not (Weft_containers.Fatal.is e) -> ())
