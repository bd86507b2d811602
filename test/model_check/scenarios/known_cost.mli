(** The part of [Known_cost] that [Search] uses: nothing is ever known. *)

type t = unit

val none : int
val of_code : int -> unit
val may_be_short : t -> int -> int -> bool
val was_long : t -> int -> int -> unit
