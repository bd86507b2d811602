(** No signals come, or one at the end of a wait. *)

type t

val handlers_raise : string -> exn -> unit
(** In the run that is being set up, each wait of this process ends with the exception, even if it was woken. *)

val enter : wake:(unit -> unit) -> (t -> 'a) -> 'a
val poll_in_line : t -> Outside_waiters.t -> unit
val poll_for : 'a -> unit
val is_pending : 'a -> bool
val is_left : t -> bool
val must_leave_slot : 'a -> bool
