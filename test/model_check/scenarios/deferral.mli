(** Thieves leave nothing alone here: that time passes is not modelled. *)

type t

val make : unit -> t
val is_put_off : t -> top:int -> now:int -> bool
