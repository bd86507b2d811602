(** The elements of flat arrays, compared by a function. *)

include Runs.S with type order = float -> float -> int and type t = floatarray
