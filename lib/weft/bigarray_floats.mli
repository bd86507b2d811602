(** Sums and extremes of bigarrays of floats, documented in [Weft.Bigarray.Array1]. The first argument is the
    name of the caller. *)

val sum : string -> (float, 'b, 'c) Bigarray.Array1.t -> float
val dot : string -> (float, 'b, 'c) Bigarray.Array1.t -> (float, 'b, 'c) Bigarray.Array1.t -> float
val min : string -> (float, 'b, 'c) Bigarray.Array1.t -> float
val max : string -> (float, 'b, 'c) Bigarray.Array1.t -> float
