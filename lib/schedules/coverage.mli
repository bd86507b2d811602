(** How many schedules have been tried, how fast, and what they have in common. *)

type t

val start : unit -> t
(** From now on. *)

val add : t -> Search.run -> unit
val runs : t -> int

val pairs : t -> int
(** Different pairs of operations, each with its place in the program, that ran one right after the other in
    two fibers; in the runs that have a record. *)

val per_second : t -> float
(** Runs, by now. *)
