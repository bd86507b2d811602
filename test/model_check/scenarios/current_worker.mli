(** The part of [Current_worker] that [Search] uses. *)

val is_outside : unit -> bool
(** [true], so that each search is a loop. *)

val deque : unit -> unit

val poll : unit -> unit
(** Nothing. *)
