let region name f = Span_region.region name (fun () -> Trace_hooks.within_region name f)
let instant name = if !Trace_hooks.on then !Trace_hooks.listener.instant name
let named = Task_name.named
let enabled = Weft_trace.Tracer.is_on
let start = Weft_trace.Tracer.start
