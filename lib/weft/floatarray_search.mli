(** The searching functions of [Weft.Floatarray], documented there. *)

val exists : (float -> bool) -> floatarray -> bool
val exists_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> bool
val for_all : (float -> bool) -> floatarray -> bool
val for_all_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> bool
val mem : float -> floatarray -> bool
val mem_ieee : float -> floatarray -> bool
val find_opt : (float -> bool) -> floatarray -> float option
val find_index : (float -> bool) -> floatarray -> int option
val find_index_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> int option
val find_map : (float -> 'a option) -> floatarray -> 'a option
val find_mapi : (int -> float -> 'a option) -> floatarray -> 'a option
