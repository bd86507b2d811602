(** Arrays of arrays, of [Weft.Array] and [Weft.Floatarray]; documented there. *)

val make : int -> int -> 'a -> 'a array array
val init : int -> int -> (int -> int -> 'a) -> 'a array array
val make_floats : int -> int -> float -> floatarray array
val init_floats : int -> int -> (int -> int -> float) -> floatarray array

val floats : string -> int -> (int -> float) -> floatarray
(** [floats who n f] is [Weft.Floatarray.init n f], of a length that an array can have. *)
