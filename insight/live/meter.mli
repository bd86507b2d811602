(** Sums up the events in the rings of a program, without keeping them.

    The rings say when a worker begins to do something else, and when a collection begins and ends. A sample
    counts what a worker is doing up to the moment of the sample, so a job of a minute shows while it runs. *)

type t

val create : started:int -> t
(** [started] is in ns of the monotonic clock, as are all times here. *)

val sample : t -> now:int -> Sample.t
(** What happened since the last sample. *)

val waits : t -> Waits.place list
(** All waits until the last sample: {!Waits.all}. *)

(** {1 What was read} *)

val step : t -> ring:int -> time:int -> Weft_trace.Wire.step -> unit
val note : t -> ring:int -> time:int -> Weft_trace.Wire.note -> unit
val wake : t -> unit
val ended : t -> time:int -> Weft_trace.Wire.span -> int -> unit
val phase_begins : t -> ring:int -> time:int -> string -> unit
val phase_ends : t -> ring:int -> time:int -> string -> unit
val promoted : t -> int -> unit
val heap : t -> ring:int -> int -> unit
val lost : t -> int -> unit
val domain_ends : t -> ring:int -> time:int -> unit
