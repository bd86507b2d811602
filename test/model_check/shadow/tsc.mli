(** Steals take no time: no thief pauses. *)

val now : unit -> int
val pause : int -> unit
