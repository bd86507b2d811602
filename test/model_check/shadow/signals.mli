(** No signals come. *)

type t

val enter : parker:'p -> wake:(unit -> unit) -> (t -> 'a) -> 'a
val poll_queued : t -> Outside_waiters.t -> unit
val poll_for : 'a -> unit
val is_pending : 'a -> bool
val is_left : t -> bool
val must_leave_slot : 'a -> bool
