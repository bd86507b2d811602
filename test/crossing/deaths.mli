(** Workers that are ended by an exception, as programs. *)

val programs : (string * (unit -> unit)) list
