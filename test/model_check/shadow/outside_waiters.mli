(** Nobody watches from outside here. *)

type t

val place : Parker.t -> t
val while_queued : t -> (unit -> 'a) -> 'a
val park : t -> float -> unit
val leave : t -> unit
val wake : unit -> unit
