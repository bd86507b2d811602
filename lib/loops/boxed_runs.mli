(** Values in general, compared by a function. *)

include
  Runs.S with type order = Array_repr.boxed -> Array_repr.boxed -> int and type t = Array_repr.boxed array
