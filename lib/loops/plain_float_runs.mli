(** Unboxed floats in the order of [Float.compare]. *)

include Runs.S with type order = unit and type t = floatarray
