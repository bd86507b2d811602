(** What is missing in a trace: events that were lost, and rings that were damaged.

    What is said of a trace is said of the rest: of the moments in which all rings could be read, and of spans
    whose beginnings and ends were read. *)

type t = {
  events : int;  (** lost during the time that the trace shows, as far as that can be estimated *)
  gaps : Intervals.t;  (** when the events of at least one ring are missing *)
  damaged : string option;  (** why the rings could not be read to their ends *)
}

val of_trace : Trace.t -> t

val cut : t -> Trace.t -> Trace.t
(** [cut losses trace] is [trace] with some spans shortened: those that may begin on one track and end on
    another, and whose end was not read. The end may be in any gap that ends after the span began, so the span
    is cut where the first of these begins. *)

val any : t -> bool
(** Whether something is missing. *)

val is_whole : Trace.span -> bool
(** Whether the span's end was read. *)

val whole : Trace.span array -> Trace.span array
(** The spans that are whole; or all, if none is. *)
