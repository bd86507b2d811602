let region name f = Strand.region name (fun () -> Probe.within_region name f)
let instant name = if !Probe.on then !Probe.listener.instant name
let enabled = Weft_trace.Tracer.is_on
let start = Weft_trace.Tracer.start
