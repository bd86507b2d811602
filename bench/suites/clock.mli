(** The clock of benchmarks that time parts of themselves. *)

val now : unit -> float
(** [now ()] is the monotonic clock in seconds; its zero is arbitrary. Takes about 50 ns. *)
