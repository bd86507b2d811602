(** The part of [Known_cost] that [Search] uses: nothing is ever known. *)

val none : int
val of_code : int -> unit
