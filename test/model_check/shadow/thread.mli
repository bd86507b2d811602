(** [Thread]: a process is a thread. *)

type t

val self : unit -> t
val id : t -> int
val yield : unit -> unit
