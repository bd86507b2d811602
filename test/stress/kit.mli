(** What the scenarios share. *)

exception Boom of int
(** What they raise. *)

val this_run : string ref
(** Its name, for {!check}. *)

val fails : int Atomic.t
val operations : int Atomic.t

val did : int -> unit
(** Counts so many operations: messages, critical sections, tasks, processes. *)

val check : string -> bool -> unit
(** [check name holds] prints [name] and counts a failure if it does not hold. *)

val seed : int -> unit
(** Where the numbers of {!next} and {!split} begin. *)

val next : unit -> int
(** From any fiber and any thread. *)

val split : unit -> Random.State.t
(** Every fiber has its own. *)

val ri : Random.State.t -> int -> int

val tiny : Random.State.t -> float
(** A time of up to 0.3 ms. *)

val spin : int -> unit

val maybe_cancel : Random.State.t -> (unit -> 'a) -> 'a option
(** Runs the function, sometimes so that a time-out or a request may cancel it; its result, if it finished. *)
