(** The clock of benchmarks that time parts of themselves. *)

val now : unit -> float
(** [now ()] is the monotonic clock in seconds, of no particular beginning. About 50 ns. *)
