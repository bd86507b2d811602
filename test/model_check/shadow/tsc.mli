(** Steals that cost nothing: no thief pauses. *)

val now : unit -> int
