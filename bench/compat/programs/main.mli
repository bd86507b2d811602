(** The executable of one library: see {!usage}, which it prints if it is called in another way. *)

val usage : string
