(** The events of the last seconds, of a stream that may go on for days. *)

type t

val create : seconds:float -> t
(** All of these raise [Sys_error] if a temporary file cannot be made or written. *)

val add : t -> Event.t -> unit

val close : t -> until:int -> (Event.t -> unit) -> unit
(** [close r ~until f] gives [f] those that ended, or happened, in the last seconds before [until], clipped to
    them, in the order in which they came; and is the end of [r]. Of spans that may change rows, whose parts
    are two events, those that had begun before are told from the beginning of that time on. So are the
    counters of category [Counter] and [Machine], which are sums: as they were told last before, or between
    that and what they are told to be next. *)

val abandon : t -> unit
