(** Makes events from what the rings hold: how long each job ran, which fiber waited for what.

    Rings are read one after the other, and tell what begins. A worker does something until it tells the next
    thing; waits, calls and regions have numbers, and may end in another ring than the one in which they
    began. A ring may have lost any part of what was written into it. The timeline makes spans from all that,
    and hands on each event as soon as it is complete; it keeps only what has not ended yet.

    All times are nanoseconds of the monotonic clock, which the rings use too. *)

type t

val create : ?line:(int -> string option) -> from:int -> live:bool -> (Event.t -> unit) -> t
(** Events go to the function. What happened before [from] is read, to know what is going on then, but not
    handed on; [line] tells the line of a function's place ({!Executable.line}). Spans that began before begin
    at [from]. Without [live], the events read first are from before [from], until {!go_live}. *)

(** {1 What was read}

    In the order of each ring. *)

val step : t -> int -> int -> Weft_trace.Wire.step -> unit
(** [step t ring time s]; the arguments of the next functions are alike. *)

val wake : t -> int -> int -> unit
val ended : t -> int -> int -> Weft_trace.Wire.span -> int -> unit
val note : t -> int -> int -> Weft_trace.Wire.note -> unit
val phase_begins : t -> int -> int -> string -> unit
val phase_ends : t -> int -> int -> string -> unit

val counter : t -> int -> int -> string -> unit_name:string -> int -> unit
(** A counter of the runtime. *)

val domain_begins : t -> int -> int -> unit
val domain_ends : t -> int -> int -> unit

val lost : t -> int -> int -> unit
(** [lost t ring words] notes that so many words were lost before the next event. The gap is handed on, as a
    span, with that event. *)

val damaged : t -> unit
(** Notes that nothing more can be read of any ring: from the last event of each on, all is a gap. *)

(** {1 Progress} *)

val swept : t -> unit
(** Must be called when all rings have been read to their ends, or nearly so, since the last call. It looks
    again for the beginnings of ends that were read before them. *)

val is_live : t -> bool

val go_live : t -> unit
(** The events read so far are from before [from]: begins all open spans at [from]. Losses so far do not
    count. *)

val add : t -> Event.t -> unit
(** Hands on an event that does not come from the rings. *)

val finish : t -> unit
(** Ends all open spans; those whose ends may have been lost, where they were certainly open last. *)

(** {1 Results} *)

val events : t -> int
(** The number of events handed on. *)

val scheduler_events : t -> int
(** The number of events read that were Weft's. *)

val unmatched : t -> int

val last_time : t -> int
(** The last time of all events read; [from] at first. *)

val end_time : t -> int
(** The last time of all events handed on. *)

val read : t -> (int * int) list
val losses : t -> (int * Event.lost) list
val workers : t -> Event.worker list
val fibers : t -> Event.fiber list
val tracks : t -> (int * string) list
