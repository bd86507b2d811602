(** Loops over the elements of a float array ([Weft.Floatarray.iter] and its like); documented there. *)

val map_inplace : (float -> float) -> floatarray -> unit
val mapi_inplace : (int -> float -> float) -> floatarray -> unit
val iter2 : (float -> float -> unit) -> floatarray -> floatarray -> unit
val iter : (float -> unit) -> floatarray -> unit
val iter_sub : ?pos:int -> ?len:int -> (float -> unit) -> floatarray -> unit
val iteri : (int -> float -> unit) -> floatarray -> unit
val iteri_sub : ?pos:int -> ?len:int -> (int -> float -> unit) -> floatarray -> unit
