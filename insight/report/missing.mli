(** The finding that the trace is not whole. *)

val leaves_enough : Trace.t -> Workers.t array -> Losses.t -> bool
(** [leaves_enough trace workers losses] is whether enough is known of what the workers did to judge it. *)

val findings : Trace.t -> Workers.t array -> Losses.t -> Finding.t list
(** One finding or none. It must come before all others, which are about the part of the trace that was read.
*)
