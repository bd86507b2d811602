(** Nothing is traced here. *)

val place : ('a -> 'b) -> int
(** 0. *)
