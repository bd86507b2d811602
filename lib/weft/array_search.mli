(** The searching functions of [Weft.Array]; documented there. *)

val exists : ('a -> bool) -> 'a array -> bool
val exists_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val for_all : ('a -> bool) -> 'a array -> bool
val for_all_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val for_none : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
val exists2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
val for_all2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
val mem : 'a -> 'a array -> bool
val mem_sub : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
val memq : 'a -> 'a array -> bool
val memq_sub : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
val find : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a
val find_opt : ('a -> bool) -> 'a array -> 'a option
val find_opt_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a option
val find_index : ('a -> bool) -> 'a array -> int option
val find_index_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> int option
val find_map : ('a -> 'b option) -> 'a array -> 'b option
val find_map_sub : ?pos:int -> ?len:int -> ('a -> 'b option) -> 'a array -> 'b option
val find_mapi : (int -> 'a -> 'b option) -> 'a array -> 'b option
val find_mapi_sub : ?pos:int -> ?len:int -> (int -> 'a -> 'b option) -> 'a array -> 'b option
