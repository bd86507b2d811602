(** Writes what the scheduler does into the rings of OCaml's [Runtime_events], where other programs read it.

    It installs itself into {!Weft_scheduler.Trace_hooks} when the program starts, and listens while the
    runtime writes events at all: from the start if [OCAML_RUNTIME_EVENTS_START] is set in the environment, or
    from the next pool that is made, or the next time a worker goes to sleep, after [Runtime_events.start]. It
    does not notice when a program pauses events ([Runtime_events.pause]): what happens until the program
    resumes them is missing, and spans that were open may look as if they had gone on.

    With [WEFT_TRACE=ring] in the environment, it starts the runtime's events itself when the program starts.

    {b What it costs.} An event is a call of C that reads the clock and stores three words; a note (at the
    start of a wait or a region, for instance) costs some twice that. A worker that runs jobs one after the
    other writes one event for each; where they are short, one for several, so that it writes one about every
    twenty microseconds. Every half millisecond or more, a worker reads the kernel's clocks of its thread
    ({!Blocked_time}), which takes some 2 us. *)

val is_on : unit -> bool
(** Whether anybody may be listening. *)

val start : unit -> unit
(** [Runtime_events.start], and listens. *)

val dump : string -> bool
(** [dump path] is {!Own_rings.dump}, and [true]; [false] if nobody is listening, and there are no rings.
    @raise Sys_error as that does. *)
