let region = Probe.within_region
let instant name = if !Probe.on then !Probe.listener.instant name
let enabled = Weft_trace.Tracer.is_on
let start = Weft_trace.Tracer.start
