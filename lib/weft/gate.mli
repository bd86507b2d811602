(** What one item of a pipeline waits at, until the one before it opens it: on the way, at its end, or when it
    fails. *)

type t

val shut : unit -> t
val opened : unit -> t

val pass : t -> unit
(** Waits until the gate is open; one caller at most. May be cancelled. *)

val unlock : t -> unit
(** Opens the gate; again is harmless. Never waits. *)
