(** From what the rings hold to events: which job ran how long, who waited for what.

    The rings tell what begins, one ring after the other: what a worker does, it does until it says something
    else; waits, calls and regions have numbers and may end in another ring than they began. A ring may have
    lost any part of what was written into it. This makes spans of all that, and hands each event on as soon
    as it is complete; what it keeps is what has not ended yet.

    All times are nanoseconds of the monotonic clock, which is the rings'. *)

type t

val create : from:int -> live:bool -> (Event.t -> unit) -> t
(** Events go to the function. Nothing from before [from] is told: what began before began then; but it is
    looked at, so that what is going on is known. If not [live], what is read first is such. *)

(** {1 What was read}

    In the order of each ring. *)

val step : t -> int -> int -> Weft_trace.Wire.step -> unit
(** [step t ring time s]; so all of these. *)

val wake : t -> int -> int -> unit
val ended : t -> int -> int -> Weft_trace.Wire.span -> int -> unit
val note : t -> int -> int -> Weft_trace.Wire.note -> unit
val phase_begins : t -> int -> int -> string -> unit
val phase_ends : t -> int -> int -> string -> unit

val counter : t -> int -> int -> string -> unit_name:string -> int -> unit
(** A figure of the runtime's. *)

val domain_begins : t -> int -> int -> unit
val domain_ends : t -> int -> int -> unit

val lost : t -> int -> int -> unit
(** [lost t ring words]: before what is read next. *)

(** {1 Progress} *)

val swept : t -> unit
(** All rings have been read to their ends, or nearly so, since this was called last: ends that came before
    their beginnings are looked at again. *)

val is_live : t -> bool

val go_live : t -> unit
(** What was read so far was old: begins what had begun, at [from]. Losses so far do not count. *)

val add : t -> Event.t -> unit
(** An event that does not come from the rings. *)

val finish : t -> unit
(** Ends all that has not ended. *)

(** {1 What came of it} *)

val events : t -> int
(** So many were handed on. *)

val scheduler_events : t -> int
(** So many of those that were read were Weft's. *)

val unmatched : t -> int

val last_time : t -> int
(** Of all that was read; [from] at first. *)

val end_time : t -> int
(** Of all that was told. *)

val read : t -> (int * int) list
val losses : t -> (int * Event.lost) list
val workers : t -> Event.worker list
val tracks : t -> (int * string) list
