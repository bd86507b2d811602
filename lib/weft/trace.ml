let region = Weft_profile.Profile.region
let instant name = if !Trace_hooks.on then !Trace_hooks.listener.instant name
let named = Task_name.named
let enabled = Weft_trace.Tracer.is_on
let start = Weft_trace.Tracer.start

(* A program that is run without events goes on calling it, and is told once. *)
let told = Atomic.make false

let dump_last file =
  if not (Weft_trace.Tracer.dump file || Atomic.exchange told true) then
    Weft_platform.Say.line
      "Weft.Trace.dump_last: no events are written, so there is no file: start the program with \
       WEFT_TRACE=ring"
