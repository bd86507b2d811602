let region = Weft_profile.Profile.region
let instant name = if !Trace_hooks.on then !Trace_hooks.listener.instant name
let named = Task_name.named
let enabled = Weft_trace.Tracer.is_on
let start = Weft_trace.Tracer.start
