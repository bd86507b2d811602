(** The finding that the trace is not whole. *)

val leaves_enough : Trace.t -> Workers.t array -> Losses.t -> bool
(** Whether it is known for enough of their time what the workers did, to judge it. *)

val findings : Trace.t -> Workers.t array -> Losses.t -> Finding.t list
(** One finding or none. It comes before all others, since they are said of what is left. *)
