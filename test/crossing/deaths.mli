(** Programs in which an exception ends workers. *)

val programs : (string * (unit -> unit)) list
