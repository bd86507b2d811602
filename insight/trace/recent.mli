(** Keeps the events of the last seconds of a stream that may go on for days. *)

type t

val create : seconds:float -> t
(** All functions here raise [Sys_error] if a temporary file cannot be made or written. *)

val add : t -> Event.t -> unit

val close : t -> until:int -> (Event.t -> unit) -> unit
(** [close r ~until f] calls [f] on the events that ended, or happened, in the last seconds before [until],
    that of the program's last event, clipped to that time, in the order in which they were added; it ends
    [r]. A span that consists of two events, and began before that time, begins at the start of that time.
    Counters of category [Counter] and [Machine], which are sums, get a value there: the last value before, or
    one interpolated between that and the next. *)

val abandon : t -> unit
