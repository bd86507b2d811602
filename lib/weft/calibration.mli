(** What the instrument of {!Profile} costs, and how long a tick is. *)

val per_piece : unit -> int
(** Ticks that each piece of a strand seems to take longer than it does. Measured at the first call, in some
    10 ms. *)

val ticks_of_ns : float -> int
(** By a look at both clocks that takes a millisecond at the first call. *)

type moment
(** Both clocks at one time. *)

val now : unit -> moment

val ns_per_tick : since:moment -> float
(** Between that moment and now, of which there is a millisecond at least. *)
