(** The cost of measuring for {!Profile}, and the length of a tick. *)

val per_piece : unit -> int
(** How many ticks too many are measured for each piece of a strand. Measured at the first call, in some 10
    ms. *)

val ticks_of_ns : float -> int
(** Converts nanoseconds. At the first call it compares both clocks for a millisecond. *)

type moment
(** The time of both clocks. *)

val now : unit -> moment

val ns_per_tick : since:moment -> float
(** Measured from that moment to now, but over at least a millisecond. *)
