(** Values in general, compared by a function. *)

include Runs.S with type order = Kind.boxed -> Kind.boxed -> int and type t = Kind.boxed array
