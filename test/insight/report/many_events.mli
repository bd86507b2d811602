(** A large trace. *)

val write : int -> out_channel -> unit
(** A trace of about so many events, on four workers. *)
