(** Sums and extremes of [Weft.Floatarray], documented there. They box no floats. *)

val sum : ?pos:int -> ?len:int -> floatarray -> float
val dot : floatarray -> floatarray -> float
val min : ?pos:int -> ?len:int -> floatarray -> float
val max : ?pos:int -> ?len:int -> floatarray -> float
val min_opt : ?pos:int -> ?len:int -> floatarray -> float option
val max_opt : ?pos:int -> ?len:int -> floatarray -> float option
val prefix_sums : floatarray -> floatarray
